/**
 * Writes docs/reference/limits.md from the sources: `node docs/generate-limits.ts`. A limit is a constant, or a member of an object,
 * with the comment `@limit SUBJECT, UNIT -> CONSEQUENCE` and, if an operator can change it, `@setting KEY`.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';

interface Bound {
  readonly file: string;
  readonly name: string;
  readonly what: string;
  readonly value: string;
  readonly setting: string | undefined;
  readonly consequence: string;
}

const ROOT = new URL('../', import.meta.url);
/** Folders of each section. The longest matching folder decides. */
const SECTIONS: readonly (readonly [title: string, folders: readonly string[]])[] = [
  ['Connections, requests and responses', ['src/server/', 'src/lib/', 'src/archive/']],
  ['Workers', ['src/workers/', 'src/config/']],
  ['Audit log', ['src/server/audit/']],
  ['Certificates', ['src/x509/']],
  ['CRLs and OCSP responders', ['src/revocation/', 'src/access/cert/crl/']],
  ['Outgoing requests', ['src/outbound/', 'src/lib/http/', 'src/lib/collector/']],
  ['Command line', ['src/cli/']],
  ['Certificate roles and logins', ['src/access/cert/']],
  ['JWT logins and token issuers', ['src/jwt/', 'src/access/jwt/']],
  ['Tokens, policies, mounts, entities', ['src/access/']],
  ['Workspaces', ['src/workspaces/', 'src/git/']],
  ['Agents, plans and applies', ['src/runner/', 'src/lib/job/', 'src/lib/semver/', 'src/openpgp/']],
  ['Backups', ['src/backup/']],
  ['Diagnosis', ['src/diagnosis/', 'src/composition/diagnosis/', 'src/cli/diagnose/']],
  ['Storage', ['src/']],
];
const DECLARED =
  /\/\*\*((?:(?!\*\/)[\s\S])*?)\*\/\s*(?:export )?(?:const ([A-Z]\w*)[^=\n]*= ([^;{\n]+);|(\w+): ([^;,\n]+),)/g;
const TAG = /@limit ([\s\S]+?), ([\w ]+?) -> ([\s\S]+?)\s*(?=@|$)/;
const SETTING = /@setting (\S+)/;

/** Returns each constant named like a limit, with its file, and whether the table lists it. */
export function namedBounds(): { readonly file: string; readonly name: string; readonly isListed: boolean }[] {
  const listed = new Set(bounds().map(({ file, name }) => `${file} ${name}`));
  return sources().flatMap(({ file, text }) =>
    [...text.matchAll(/^(?:export )?const ((?:\w+_)?(?:MAX|MOST|LONGEST)(?:_\w+)?)\b[^=\n]*= [-\d(]/gm)].map(
      ([, name = '']) => ({
        file,
        name,
        isListed: listed.has(`${file} ${name}`),
      }),
    ),
  );
}

function sources(): { readonly file: string; readonly text: string }[] {
  const files = globSync('src/**/*.ts', { cwd: ROOT }).filter((file) => !file.endsWith('.test.ts'));
  return files.sort().map((file) => ({ file, text: readFileSync(new URL(file, ROOT), 'utf8') }));
}

function bounds(): Bound[] {
  return sources().flatMap(({ file, text }) =>
    [...text.matchAll(DECLARED)].flatMap(([, comment = '', constant, constantValue, member, memberValue]) => {
      const said = comment.replaceAll(/\s*\n\s*\* ?/g, ' ').trim();
      const [, what, unit, consequence] = TAG.exec(said) ?? [];
      if (what === undefined || unit === undefined || consequence === undefined) return [];
      const value = inWords(evaluated(constantValue ?? memberValue ?? '', text), unit);
      const name = constant ?? member ?? '';
      return [{ file, name, what, value, setting: SETTING.exec(said)?.[1], consequence }];
    }),
  );
}

/** Evaluates a number in the sources: products and sums of literals and of constants in the same file. */
function evaluated(expression: string, text: string): number {
  const literal = expression.replaceAll(/\b[A-Z][A-Z\d_]*\b/g, (name) => {
    const [, value] = new RegExp(`const ${name}\\b[^=\\n]*= ([^;]+);`).exec(text) ?? [];
    if (value === undefined) throw new Error(`${name} is not a constant of the same file`);
    return `(${evaluated(value, text)})`;
  });
  const plain = literal.replaceAll('_', '');
  if (!/^[\d\s.()*+/-]+$/.test(plain)) throw new Error(`not a number: ${expression}`);
  return Number(new Function(`return ${plain}`)());
}

function inWords(value: number, unit: string): string {
  if (unit === 'ms') return duration(value);
  if (unit === 'bytes' || unit === 'characters') return size(value, unit);
  return `${grouped(value)} ${unit}`;
}

function duration(milliseconds: number): string {
  const units = [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['min', 60_000],
    ['s', 1_000],
  ] as const;
  const [name, length] = units.find(([, one]) => milliseconds >= 2 * one && milliseconds % one === 0) ??
    units.find(([, one]) => milliseconds % one === 0) ?? ['ms', 1];
  return `${grouped(milliseconds / length)} ${name}`;
}

function size(value: number, unit: 'bytes' | 'characters'): string {
  if (unit === 'characters') return `${grouped(value)} characters`;
  if (value >= 1_048_576 && value % 1_048_576 === 0) return `${grouped(value / 1_048_576)} MiB`;
  if (value >= 1_024 && value % 1_024 === 0) return `${grouped(value / 1_024)} KiB`;
  return `${grouped(value)} bytes`;
}

const grouped = (value: number): string => value.toLocaleString('en-US');

function sectionOf(file: string): string | undefined {
  const found = SECTIONS.flatMap(([title, folders]) => folders.map((folder) => ({ title, folder })))
    .filter(({ folder }) => file.startsWith(folder))
    .sort((a, b) => b.folder.length - a.folder.length);
  return found[0]?.title;
}

function row({ file, what, value, setting, consequence }: Bound): string {
  const source = `[${file.split('/').at(-1)}](../../${file})`;
  return `| ${upper(what)} | ${value} | ${setting ? `\`${setting}\`` : ''} | ${upper(consequence)} | ${source} |`;
}

const upper = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1).replaceAll('|', '\\|');

export function limitsPage(): string {
  const all = bounds();
  const sections = SECTIONS.map(([title]) => {
    const rows = all.filter(({ file }) => sectionOf(file) === title).map(row);
    return `## ${title}\n\n| Subject | Limit | Setting | Beyond the limit | Source |\n|---|---|---|---|---|\n${rows.join('\n')}\n`;
  });
  return `# Limits

Generated from the sources by \`node docs/generate-limits.ts\`; do not edit by hand. The last column links the file that defines and
enforces the limit.

A setting is a key of the [configuration](configuration.md), and the limit here is its default. Limits for single members of a
request are in the OpenAPI documents of the two APIs (\`/v1/sys/internal/specs/openapi\`, \`/api/v2/openapi.json\`).

${sections.join('\n')}`;
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(new URL('reference/limits.md', import.meta.url), limitsPage());
}
