import type { ExactNumber } from '../../../lib/exact-json/exact-json.ts';

const MODULE = /module\.([^.[]+(?:\[(?:"(?:[^"\\]|\\.)*"|\d+)\])?)(?:\.|$)/y;
const QUOTED = /\["([^"\\]{1,512})"\]/;

/** Converts `module.a["x"].module.b` to `a["x"].b`, the form that clients display. The root module is `root`. */
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

/** Parts of an instance that form its address. */
export interface Addressed {
  readonly module: string;
  readonly type: string;
  readonly name: string;
  readonly index: string | number | ExactNumber | null;
  readonly deposed: string | null;
}

/** Returns the address below the module, for example `aws_instance.web["a"]`. */
function addressInModule({ type, name, index, deposed }: Addressed): string {
  const place = `${type}.${name}${index === null ? '' : `[${JSON.stringify(index)}]`}`;
  return deposed === null ? place : `${place} (deposed ${deposed})`;
}

/** Returns the full address, for example `module.a.aws_instance.web["a"]`. It is unique in a state. */
export function addressOf(instance: Addressed): string {
  return `${instance.module === '' ? '' : `${instance.module}.`}${addressInModule(instance)}`;
}

/** Returns the address in the form that clients display: `a["x"].aws_instance.web`. */
export function shownAddress(instance: Addressed): string {
  const below = addressInModule(instance);
  return instance.module === '' ? below : `${moduleName(instance.module)}.${below}`;
}

/**
 * Converts `provider["registry.terraform.io/hashicorp/aws"].west` to `hashicorp/aws`. Older states contain
 * `provider.aws`.
 */
export function providerSource(provider: string): string {
  const source = QUOTED.exec(provider)?.[1];
  if (source === undefined) return provider.split('.')[1] ?? provider;
  const parts = source.split('/');
  return parts.length > 2 ? parts.slice(1).join('/') : source;
}

/** Returns the key for counts by type: `aws_instance` is `aws-instance`, `data.aws_ami` is `data.aws-ami`. */
export function countKey(mode: string, type: string): string {
  return `${mode === 'data' ? 'data.' : ''}${type.replaceAll('_', '-')}`;
}
