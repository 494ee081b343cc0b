import type { IncludeSource, Part } from '../hooks/hooks.ts';
import type { EffectiveBindings } from './effective-bindings.ts';
import { effectiveBindingDocument } from './resource.ts';

/** Returns the source of effective bindings. Workspaces of one project share an inherited binding: it is included once. */
export function includedBindings(effective: EffectiveBindings): IncludeSource {
  return async (_actor, workspaces) => {
    const bindings = await effective.bindingsOf(workspaces);
    const parts = [...bindings].map(([workspaceId, own]): [string, Part] => {
      const data = own.map(({ id }) => ({ type: 'effective-tag-bindings', id }));
      const links = { related: `/api/v2/workspaces/${workspaceId}/effective-tag-bindings` };
      return [workspaceId, { relationships: { 'effective-tag-bindings': { data, links } } }];
    });
    const resources = [...bindings.values()].flat().map(effectiveBindingDocument);
    return { resources, parts: new Map(parts) };
  };
}
