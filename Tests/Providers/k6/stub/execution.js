export default { vu: { iterationInInstance: 0 } };
