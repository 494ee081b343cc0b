import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Part } from './parts.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
}

/** Entry of a package in the lock file, by the path of its folder. */
interface Locked {
  readonly packages: Readonly<Record<string, { readonly integrity?: string; readonly dependencies?: object }>>;
}

/**
 * Returns the package's bill of materials: bundled packages without build tools (`npm sbom` would list all installed
 * packages). It has no timestamp and no serial number, so that the build is reproducible.
 * @see CycloneDX 1.6, JSON
 */
export function sbom(parts: readonly Part[]): string {
  const { name, version, description, license } = readJson<Manifest>('package.json');
  const { packages } = readJson<Locked>('package-lock.json');
  const own = purl(name, version);
  // A version may be installed in several folders.
  const unique = [...new Map(parts.map((part) => [purlOf(part), part]))];
  const refs = new Map(parts.map((part) => [relative(part.folder), purlOf(part)]));
  const needs = ({ folder }: Part) => Object.keys(packages[relative(folder)]?.dependencies ?? {});
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: { type: 'application', 'bom-ref': own, name, version, description, ...licensed(license), purl: own },
    },
    components: unique.map(([ref, part]) => ({
      type: 'library',
      'bom-ref': ref,
      ...named(part),
      version: part.version,
      ...hashed(packages[relative(part.folder)]?.integrity),
      ...licensed(part.license),
      purl: ref,
    })),
    dependencies: [
      { ref: own, dependsOn: unique.map(([ref]) => ref) },
      ...unique.map(([ref, part]) => ({
        ref,
        dependsOn: [...new Set(needs(part).flatMap((name) => found(name, relative(part.folder), refs)))],
      })),
    ],
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

const readJson = <T>(file: string): T => JSON.parse(readFileSync(`${ROOT}${file}`, 'utf8')) as T;

const purlOf = ({ name, version }: Part): string => purl(name, version);

const relative = (folder: string): string => folder.slice(ROOT.length);

/** @see the package URL specification, type npm */
const purl = (name: string, version: string): string => `pkg:npm/${name.replace('@', '%40')}@${version}`;

function named({ name }: Part): object {
  const [, group, rest] = /^(@[^/]+)\/(.+)$/.exec(name) ?? [];
  return group ? { group, name: rest } : { name };
}

const licensed = (id: string): object => ({ licenses: [{ license: { id } }] });

/** @param integrity of the registry's archive, in Subresource Integrity format */
function hashed(integrity: string | undefined): object {
  const [, content] = /^sha512-(.+)$/.exec(integrity ?? '') ?? [];
  if (content === undefined) return {};
  return { hashes: [{ alg: 'SHA-512', content: Buffer.from(content, 'base64').toString('hex') }] };
}

/** Resolves a package from a folder as Node.js does. Undefined for a package that is not used. */
function found(name: string, folder: string, refs: ReadonlyMap<string, string>): string[] {
  const within = folder.split('/node_modules/').map((_, depth, all) => all.slice(0, all.length - depth));
  const places = [
    ...within.map((path) => `${path.join('/node_modules/')}/node_modules/${name}`),
    `node_modules/${name}`,
  ];
  return places.flatMap((place) => refs.get(place) ?? []).slice(0, 1);
}
