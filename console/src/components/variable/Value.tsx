import type { Resources } from '../../api/client.ts';
import * as texts from './texts.ts';

type Variable = Resources['vars'];

/** Describes the category of a variable: `terraform, HCL, no plans of pull requests`. */
export function kindOf({ attributes }: Variable): string {
  const category = attributes.category === 'env' ? texts.environment : texts.terraform;
  const kind = attributes.hcl ? texts.hcl(category) : category;
  return attributes['apply-only'] ? texts.appliesOnly(kind) : kind;
}

/** Value of a variable, unless it is sensitive. */
export function Value({ of: { attributes } }: { readonly of: Variable }) {
  if (attributes.sensitive) return <span className="soft">{texts.sensitiveWriteOnly}</span>;
  if (attributes.value === null || attributes.value === '') return <span className="soft">{texts.empty}</span>;
  return <code dir="auto">{attributes.value}</code>;
}
