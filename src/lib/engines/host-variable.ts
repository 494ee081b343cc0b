/**
 * Returns the environment variable in which OpenTofu and Terraform read the token of a host:
 * `TF_TOKEN_lockkeeper_example_com`. Returns undefined for a host with a port, which such a variable cannot express.
 */
export function hostVariable(address: string): string | undefined {
  const url = URL.parse(address);
  if (url === null || url.port !== '') return undefined;
  return `TF_TOKEN_${url.hostname.replaceAll('-', '__').replaceAll('.', '_')}`;
}
