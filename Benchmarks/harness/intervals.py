"""Ratios of interleaved pairs: the Hodges-Lehmann estimate and its exact, distribution-free interval."""
import math


def signed_rank_counts(n):
    """In how many ways the ranks 1…n add up to each sum."""
    counts = [1]
    for rank in range(1, n + 1):
        longer = counts + [0] * rank
        for i, count in enumerate(counts):
            longer[i + rank] += count
        counts = longer
    return counts


def hodges_lehmann(ratios, confidence=0.95):
    """(estimate, low, high) of the middle of `ratios`, by the Walsh averages of their logarithms.

    Below six pairs no interval has 95 %: then low and high are the smallest and the largest average.
    """
    logs = sorted(math.log(r) for r in ratios)
    n = len(logs)
    walsh = sorted((logs[i] + logs[j]) / 2 for i in range(n) for j in range(i, n))
    m = len(walsh)
    middle = walsh[m // 2] if m % 2 else (walsh[m // 2 - 1] + walsh[m // 2]) / 2
    counts = signed_rank_counts(n)
    tail, cut = 0.0, 0
    limit = (1 - confidence) / 2 * 2 ** n
    for count in counts:
        tail += count
        if tail > limit:
            break
        cut += 1
    low, high = walsh[max(cut - 1, 0)], walsh[m - max(cut, 1)]
    return math.exp(middle), math.exp(low), math.exp(high)


def median(values):
    values = sorted(values)
    n = len(values)
    return values[n // 2] if n % 2 else (values[n // 2 - 1] + values[n // 2]) / 2
