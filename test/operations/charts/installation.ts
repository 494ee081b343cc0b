import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildModule, downloadModule, installOnce } from '../../support/machine/installed.ts';
import { schemasOfApi, schemasOfResource } from './schemas.ts';

const TOOLS = fileURLToPath(new URL('./tools', import.meta.url));
const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/lockkeeper-charts', import.meta.url));
const lock = (name: string) => join(TOOLS, `${name}.json`);
const RESOURCES = ['servicemonitors', 'prometheusrules'];

/** Paths of the installed tools, and of the schemas for validation, one file for each kind. */
export const installed = {
  helm: join(CACHE, 'helm/helm'),
  kubeconform: join(CACHE, 'kubeconform/kubeconform'),
  schemas: join(CACHE, 'schemas'),
};

/** Installs both tools, and the schemas of Kubernetes and of the Prometheus Operator. */
export default function install(): void {
  installOnce(join(CACHE, 'helm'), [lock('helm')], () =>
    buildModule(lock('helm'), './cmd/helm', installed.helm, '-s -w'),
  );
  installOnce(join(CACHE, 'kubeconform'), [lock('kubeconform')], () =>
    buildModule(lock('kubeconform'), './cmd/kubeconform', installed.kubeconform, '-s -w'),
  );
  const made = fileURLToPath(new URL('./schemas.ts', import.meta.url));
  installOnce(installed.schemas, [lock('kubernetes'), lock('prometheus-operator'), made], writeSchemas);
}

function writeSchemas(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const api = readJson(join(downloadModule(lock('kubernetes')), 'api/openapi-spec/swagger.json'));
  const definitions = downloadModule(lock('prometheus-operator'));
  const own = RESOURCES.flatMap((name) =>
    schemasOfResource(readJson(join(definitions, `jsonnet/prometheus-operator/${name}-crd.json`))),
  );
  for (const { file, schema } of [...schemasOfApi(api), ...own])
    writeFileSync(join(folder, file), JSON.stringify(schema));
}

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'));
