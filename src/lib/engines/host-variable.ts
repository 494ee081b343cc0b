/**
 * The variable in which both command lines read the token of a host: `TF_TOKEN_lockkeeper_example_com`. Undefined for an address
 * with a port, which they know no way to write.
 */
export function hostVariable(address: string): string | undefined {
  const url = URL.parse(address);
  if (url === null || url.port !== '') return undefined;
  return `TF_TOKEN_${url.hostname.replaceAll('-', '__').replaceAll('.', '_')}`;
}
