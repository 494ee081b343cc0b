/** Writes docs/reference/configuration.md from the schema: `node docs/generate-configuration.ts`. */
import { writeFileSync } from 'node:fs';
import { ENVIRONMENT } from '../src/config/read.ts';
import { configSchema } from '../src/config/schema.ts';

interface SchemaNode {
  readonly description?: string;
  readonly allowed?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly items?: SchemaNode;
}

const variables = new Map(Object.entries(ENVIRONMENT).map(([name, path]) => [path, name]));

function rows(node: SchemaNode, path: string, optional: boolean): string[] {
  if (node.allowed) return [row(node, path, optional)];
  if (node.items) return rows(node.items, `${path}[]`, optional);
  return Object.entries(node.properties ?? {}).flatMap(([name, child]) =>
    rows(child, path ? `${path}.${name}` : name, optional || !node.required?.includes(name)),
  );
}

function row(
  { description = '', allowed = '', default: initial }: SchemaNode,
  path: string,
  optional: boolean,
): string {
  const without = initial !== undefined ? `\`${initial}\`` : optional ? '' : 'required';
  const variable = variables.get(path);
  return `| \`${path}\` | ${description.replaceAll('|', '\\|')} | ${allowed} | ${without} | ${variable ? `\`${variable}\`` : ''} |`;
}

export function configurationPage(): string {
  return `# Configuration

Made from the schema by \`node docs/generate-configuration.ts\`; do not edit by hand.

\`lockkeeper serve --config FILE\` reads YAML. Over the file goes the environment, over both go flags: \`--set log.level=warn\`.
Paths are relative to the folder of the file. Unknown keys and bad values are refused, with the key, what was found and what is
allowed.

| Key | What it is | Allowed | Without it | Environment |
|---|---|---|---|---|
${rows(configSchema as unknown as SchemaNode, '', false).join('\n')}

## Limits that are not settings

| Limit | Value |
|---|---|
| TLS handshake | 10 s |
| Head of a request | 15 s, 16 KiB |
| Body of a request | 120 s |
| A state on its way in or out | 2 h, and 2 to 4 min without a byte |
| Idle connection | 65 s |
| Requests at a time on one HTTP/2 connection | 100 |
| Depth of a JSON body | 32 |
| Presented intermediates | 10 certificates, 32 KiB |
| Page of a list | 20, at most 100 |
`;
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(new URL('reference/configuration.md', import.meta.url), configurationPage());
}
