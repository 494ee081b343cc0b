/** A complete version, as opposed to a constraint. */
const EXACT = /^=?\s*v?(\d+(?:\.\d+){1,2}(?:-[\w.]+)?)$/;

const NAMES: Readonly<Record<string, string>> = { opentofu: 'OpenTofu', terraform: 'Terraform' };

/**
 * Returns which engine and version a workspace would use, for people. The agent resolves a constraint, or `latest`.
 * @param engine the engine that the workspace names; null if it uses that of its organization
 * @param inherited engine of the organization, if it is known
 * @param version version, constraint or `latest`
 */
export function engineWords(engine: string | null, inherited: string | undefined, version: string): string {
  const kind = engine ?? inherited;
  const name = kind === undefined ? 'default engine of the organization' : (NAMES[kind] ?? kind);
  const exact = EXACT.exec(version)?.[1];
  if (exact !== undefined) return kind === undefined ? `${name}, ${exact}` : `${name} ${exact}`;
  if (version === 'latest') return `${name}, the newest version that its agent has`;
  return `${name} ${version}: the newest of these versions`;
}
