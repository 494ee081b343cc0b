import type { PlanJson } from './plan-json.ts';

/** What `providers schema -json` says. */
export interface SchemasJson {
  readonly format_version?: string;
  readonly provider_schemas?: Readonly<Record<string, ProviderSchemas>>;
}

interface ProviderSchemas {
  readonly resource_schemas?: Readonly<Record<string, unknown>>;
  readonly data_source_schemas?: Readonly<Record<string, unknown>>;
}

/** Of all schemas those of the resources that the plan names: whole ones take up to 100 MB. */
export function schemasOf(plan: PlanJson, { format_version, provider_schemas = {} }: SchemasJson): SchemasJson {
  const named = [...(plan.resource_changes ?? []), ...(plan.resource_drift ?? [])];
  const kept = Object.entries(provider_schemas).flatMap(([provider, schemas]) => {
    const ofIt = named.filter(({ provider_name: name }) => name === provider);
    if (ofIt.length === 0) return [];
    const types = (isData: boolean): Set<string> =>
      new Set(ofIt.filter(({ mode }) => (mode === 'data') === isData).map(({ type }) => type));
    return [
      [
        provider,
        {
          provider: { version: 0 },
          resource_schemas: only(schemas.resource_schemas, types(false)),
          data_source_schemas: only(schemas.data_source_schemas, types(true)),
        },
      ] as const,
    ];
  });
  return { ...(format_version === undefined ? {} : { format_version }), provider_schemas: Object.fromEntries(kept) };
}

function only(schemas: Readonly<Record<string, unknown>> = {}, types: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(schemas).filter(([type]) => types.has(type)));
}
