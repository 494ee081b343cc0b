import type { Resources } from '../../api/client.ts';

type Variable = Resources['vars'];

/** `terraform, HCL` */
export function kindOf({ attributes }: Variable): string {
  const kind = attributes.category === 'env' ? 'environment' : 'terraform';
  return attributes.hcl ? `${kind}, HCL` : kind;
}

/** What a variable is set to, as far as anybody may see it. */
export function Value({ of: { attributes } }: { readonly of: Variable }) {
  if (attributes.sensitive) return <span className="soft">sensitive: written, and never shown</span>;
  if (attributes.value === null || attributes.value === '') return <span className="soft">empty</span>;
  return <code dir="auto">{attributes.value}</code>;
}
