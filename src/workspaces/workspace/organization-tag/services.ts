import type { Clock } from '../../../lib/clock.ts';
import type { Database } from '../../../storage/index.ts';
import type { Organizations } from '../../tenancy/organization/organizations.ts';
import type { ProjectBindings } from '../../tenancy/project/bindings.ts';
import type { Part, WorkspaceExtensions } from '../hooks.ts';
import { effectiveBindingResource } from '../tag/binding-document.ts';
import { EffectiveBindings } from '../tag/effective-bindings.ts';
import { WorkspaceTags } from '../tag/tags.ts';
import type { WorkspaceFinder } from '../workspace/finder.ts';
import { OrganizationTags } from './organization-tags.ts';
import { ReservedTagKeys } from './reserved-keys.ts';

/** Flat tags and key-value tags. */
export interface TagServices {
  readonly tags: WorkspaceTags;
  readonly organizationTags: OrganizationTags;
  readonly reservedTagKeys: ReservedTagKeys;
}

/** What they stand on. */
export interface TagServicesOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly organizations: Organizations;
  readonly projectBindings: ProjectBindings;
  readonly finder: WorkspaceFinder;
  readonly extensions: WorkspaceExtensions;
}

export function createTags(options: TagServicesOptions): TagServices {
  const { database, clock, organizations, projectBindings, finder } = options;
  const reservedTagKeys = new ReservedTagKeys(database, clock, organizations);
  const effective = new EffectiveBindings(database, projectBindings, reservedTagKeys);
  includeEffective(options.extensions, effective);
  return {
    tags: new WorkspaceTags(database, clock, finder, effective),
    organizationTags: new OrganizationTags(database, organizations),
    reservedTagKeys,
  };
}

/** Workspaces in one project point at the same inherited binding. */
function includeEffective({ includes }: WorkspaceExtensions, effective: EffectiveBindings): void {
  includes.set('effective_tag_bindings', async (_actor, workspaces) => {
    const bindings = await effective.of(workspaces);
    const parts = [...bindings].map(([workspaceId, own]): [string, Part] => {
      const data = own.map(({ id }) => ({ type: 'effective-tag-bindings', id }));
      const links = { related: `/api/v2/workspaces/${workspaceId}/effective-tag-bindings` };
      return [workspaceId, { relationships: { 'effective-tag-bindings': { data, links } } }];
    });
    const resources = [...bindings.values()].flat().map(effectiveBindingResource);
    return { resources, parts: new Map(parts) };
  });
}
