/**
 * Returns a token or another secret without the white space around it, which editors, `echo` and Kubernetes secrets
 * add. For secrets from files, environment variables, headers or fields; no secret of this server contains white space.
 */
export const secretText = (text: string): string => text.trim();
