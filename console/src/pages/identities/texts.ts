/** Texts of the identities page. */
export const entitiesHint =
  'An entity is one client, a machine or a person, across all mounts. Its aliases are its names at the mounts.';
export const groupsHint = 'A group is a set of entities and other groups. Its policies apply to all of them.';
// Texts of EntitiesPage.tsx
export const name = 'Name';
export const aliases = 'Aliases';
export const state = 'State';
export const entities = 'Entities';
export const entity = 'entity';
export const entities2 = 'entities';
export const andMore = ' and more';
export const noEntitiesYet = 'No entities yet';
export const theFirstLoginWith = 'The first login with a new name creates an entity. Log in, for example:';
export const disabled = 'disabled';
export const at = (path: string) => `at ${path}`;
export const andMore2 = (more: number) => `and ${more} more`;
// Texts of EntityPage.tsx
export const access = 'Access';
export const identities = 'Identities';
export const entity2 = (id: string) => `Entity ${id}`;
export const thisEntityCannotLog =
  'This entity cannot log in, and the server refuses its tokens, until it is enabled again.';
export const namesOfTheEntity = 'names of the entity at mounts';
export const policies = 'Policies';
export const inAdditionToThose = 'in addition to those of its tokens';
export const entity3 = 'Entity';
export const id = 'Id';
export const id2 = 'id';
export const created = 'Created';
export const updated = 'Updated';
export const merged = 'Merged';
export const otherEntities = (length: number) => `${length} other entities`;
export const groups = 'Groups';
export const inheritedGroups = 'Inherited groups';
export const groups2 = (length: number) => `${length} groups`;
export const noAliasesNoLogin = 'No aliases: no login leads to this entity.';
export const mount = 'Mount';
export const enabled = 'Enabled';
export const disabled2 = 'Disabled';
export const enabling = 'Enabling…';
export const enable = 'Enable';
export const disable = 'Disable…';
export const disable2 = (name: string) => `Disable ${name}`;
export const disable3 = 'Disable';
export const theEntityCannotLog =
  'The entity cannot log in, and the server refuses its tokens, until you enable it again.';
export const deleted = (name: string) => `${name} deleted`;
export const deleteText = 'Delete…';
export const deleteText2 = (name: string) => `Delete ${name}`;
export const deleteEntity = 'Delete entity';
export const thisAlsoRevokesAll =
  'This also revokes all tokens of the entity. The next login with one of its aliases creates a new entity.';
// Texts of GroupPage.tsx
export const group = (id: string) => `Group ${id}`;
export const group2 = (type: string) => `${type} group`;
export const group3 = 'Group';
export const alias = 'Alias';
export const at2 = (name: string, mountPath = '') => `${name} at ${mountPath}`;
export const thatTheGroupGives = 'that the group gives to its members';
export const subgroups = 'Subgroups';
export const parentGroups = 'Parent groups';
export const andMore3 = (count: string) => `and ${count} more`;
// Texts of GroupsPage.tsx
export const group4 = 'group';
export const noGroupsYet = 'No groups yet';
export const aGroupGivesIts = 'A group gives its policies to every entity in it. Create one, for example:';
// Texts of PoliciesForm.tsx
export const saved = 'Saved';
export const save = 'Save';
export const noChanges = 'No changes';
export const names = 'Names';
export const separateNamesWithCommas = 'Separate names with commas. Changes apply from the next request.';
