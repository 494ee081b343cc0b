/**
 * Returns a token or another secret as it was meant: without the white space around it, which editors, `echo` and Kubernetes
 * secrets leave at its end. For whatever comes from a file, an environment variable, a header or a field; no secret of ours has any.
 */
export const secretText = (text: string): string => text.trim();
