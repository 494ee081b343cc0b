import type { Part, WorkspaceHooks } from '../hooks/hooks.ts';
import { effectiveBindingResource } from './binding-document.ts';
import type { EffectiveBindings } from './effective-bindings.ts';

/** Workspaces of one project share an inherited binding, which is included once. */
export function includeEffective({ includes }: WorkspaceHooks, effective: EffectiveBindings): void {
  includes.set('effective_tag_bindings', async (_actor, workspaces) => {
    const bindings = await effective.bindingsOf(workspaces);
    const parts = [...bindings].map(([workspaceId, own]): [string, Part] => {
      const data = own.map(({ id }) => ({ type: 'effective-tag-bindings', id }));
      const links = { related: `/api/v2/workspaces/${workspaceId}/effective-tag-bindings` };
      return [workspaceId, { relationships: { 'effective-tag-bindings': { data, links } } }];
    });
    const resources = [...bindings.values()].flat().map(effectiveBindingResource);
    return { resources, parts: new Map(parts) };
  });
}
