"""What the module is for."""
import sys  # Who imports it.

# What is above the first function.
# A second line of the comment stands here.
NAME = "# What is in a text is no comment"
TEXT = """
# What is in a text of several lines is code in most files
"""


def double(number):
    """Returns the number twice.

    Whatever was given is doubled.
    """
    return number + number


def triple(number):
    r"""The number three times."""
    text = """What is assigned is no docstring."""
    return number * 3, text
