import type { ExactNumber } from '../../../lib/exact-json/exact-json.ts';

const MODULE = /module\.([^.[]+(?:\[(?:"(?:[^"\\]|\\.)*"|\d+)\])?)(?:\.|$)/y;
const QUOTED = /\["([^"\\]{1,512})"\]/;

/** `module.a["x"].module.b` → `a["x"].b`, as clients are shown modules; the root module is `root`. */
export function moduleName(module: string): string {
  const names: string[] = [];
  for (let at = 0; at < module.length; at = MODULE.lastIndex) {
    MODULE.lastIndex = at;
    const [, name] = MODULE.exec(module) ?? [];
    if (name === undefined) return module;
    names.push(name);
  }
  return names.length === 0 ? 'root' : names.join('.');
}

/** What of an instance is in its address. */
export interface Addressed {
  readonly module: string;
  readonly type: string;
  readonly name: string;
  readonly index: string | number | ExactNumber | null;
  readonly deposed: string | null;
}

/** `aws_instance.web["a"]` below its module. */
function addressInModule({ type, name, index, deposed }: Addressed): string {
  const place = `${type}.${name}${index === null ? '' : `[${JSON.stringify(index)}]`}`;
  return deposed === null ? place : `${place} (deposed ${deposed})`;
}

/** `module.a.aws_instance.web["a"]`: no two instances of a state have the same. */
export function addressOf(instance: Addressed): string {
  return `${instance.module === '' ? '' : `${instance.module}.`}${addressInModule(instance)}`;
}

/** `a["x"].aws_instance.web`, as clients are shown it. */
export function shownAddress(instance: Addressed): string {
  const below = addressInModule(instance);
  return instance.module === '' ? below : `${moduleName(instance.module)}.${below}`;
}

/** `provider["registry.terraform.io/hashicorp/aws"].west` → `hashicorp/aws`; older states have `provider.aws`. */
export function providerSource(provider: string): string {
  const source = QUOTED.exec(provider)?.[1];
  if (source === undefined) return provider.split('.')[1] ?? provider;
  const parts = source.split('/');
  return parts.length > 2 ? parts.slice(1).join('/') : source;
}

/** What counts are kept by: `aws_instance` → `aws-instance`, `data.aws_ami` → `data.aws-ami`. */
export function countKey(mode: string, type: string): string {
  return `${mode === 'data' ? 'data.' : ''}${type.replaceAll('_', '-')}`;
}
