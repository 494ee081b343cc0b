/** Writes schemas in the layout of kubeconform: one JSON schema for each kind, which refuses unknown fields. */

interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-group-version-kind'?: readonly Kind[];
}

interface Kind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

interface SchemaFile {
  readonly file: string;
  readonly schema: object;
}

/** The file name contains the first part of the group: `networkpolicy-networking-v1.json`. */
const fileOf = ({ group, version, kind }: Kind): string =>
  [kind.toLowerCase(), ...(group === '' ? [] : [group.split('.')[0]]), version].join('-').concat('.json');

/** Schemas of the Kubernetes API description (OpenAPI 2). */
export function schemasOfApi({ definitions }: { definitions: Readonly<Record<string, Schema>> }): SchemaFile[] {
  return Object.entries(definitions).flatMap(([name, { 'x-kubernetes-group-version-kind': kinds = [] }]) => {
    const [kind] = kinds;
    // Types that many kinds share are not objects with a kind.
    if (kind === undefined || kinds.length > 1) return [];
    const used = closure(name, definitions);
    const parts = Object.fromEntries([...used].map((one) => [one, strict(definitions[one] ?? {}, one)]));
    return [{ file: fileOf(kind), schema: { $ref: `#/definitions/${name}`, definitions: parts } }];
  });
}

interface ResourceDefinition {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: Schema } }[];
  };
}

/** Schemas of a CustomResourceDefinition. */
export function schemasOfResource({ spec: { group, names, versions } }: ResourceDefinition): SchemaFile[] {
  return versions.map(({ name: version, schema }) => ({
    file: fileOf({ group, version, kind: names.kind }),
    schema: strict(schema.openAPIV3Schema),
  }));
}

/** Collects a definition and all definitions that it refers to. */
function closure(name: string, definitions: Readonly<Record<string, Schema>>): Set<string> {
  const found = new Set([name]);
  for (const one of found)
    for (const [, next = ''] of JSON.stringify(definitions[one]).matchAll(/"#\/definitions\/([^"]+)"/g))
      found.add(next);
  return found;
}

const INT_OR_STRING = { anyOf: [{ type: 'integer' }, { type: 'string' }] };
const QUANTITY = 'io.k8s.apimachinery.pkg.api.resource.Quantity';

function strict(schema: Schema, name?: string): object {
  if (schema['x-kubernetes-int-or-string'] || schema.format === 'int-or-string') return INT_OR_STRING;
  if (name === QUANTITY) return { type: ['string', 'number'] };
  const { properties, additionalProperties, items, ...rest } = schema;
  const isOpen = additionalProperties !== undefined || schema['x-kubernetes-preserve-unknown-fields'];
  return {
    ...rest,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([key, one]) => [key, strict(one)])),
      // The metadata of a custom resource is the standard object metadata.
      ...(!isOpen && { additionalProperties: false }),
    }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'object' ? strict(additionalProperties) : additionalProperties,
    }),
    ...(items && { items: strict(items) }),
  };
}
