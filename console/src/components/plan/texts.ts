/** Texts of the plan component. */
// Texts of ApplyPane.tsx
export const apply = 'Apply';
export const resources = 'Resources';
export const showMoreOf = (next: string, more: string) => `Show ${next} more of ${more}`;
export const adding = 'adding';
export const added = 'added';
export const changing = 'changing';
export const changed = 'changed';
export const replacing = 'replacing';
export const replaced = 'replaced';
export const destroying = 'destroying';
export const destroyed = 'destroyed';
export const doneOf = (done: string, total: string, operation: string) => `${done} of ${total} ${operation}`;
export const working = 'working';
export const done = 'done';
export const failed = 'failed';
export const interrupted = 'interrupted';
export const notApplied = 'not applied';
export const waiting = 'waiting';
// Texts of ChangeRow.tsx
export const attributesOf = (address: string) => `Attributes of ${address}`;
export const attribute = 'Attribute';
export const before = 'Before';
export const after = 'After';
export const moreAttributes = (more: number) => (more === 1 ? '1 more attribute' : `${more} more attributes`);
export const unchangedAttribute = 'unchanged attribute';
export const unchangedAttributes = 'unchanged attributes';
export const noAttributes = 'No attributes';
export const value = 'value';
// Texts of PlanPane.tsx
export const thePlan = 'The plan';
export const asText = (why: string) => `${why} The log shows the plan as text.`;
export const showByOperation = 'Show by operation';
export const filterByAddress = 'Filter by address';
export const noChangesTheInfrastructure = 'No changes: the infrastructure matches the configuration.';
export const noResourcesMatchTheFilter = 'No resources match the filter.';
export const outputs = 'Outputs';
export const drift = 'Drift';
export const changesMadeOutsideOf = 'Changes made outside of this configuration';
export const unchangedResource = 'unchanged resource';
export const unchangedResources = 'unchanged resources';
// Texts of operations.ts
export const add = 'add';
export const toAdd = 'to add';
export const change = 'change';
export const toChange = 'to change';
export const replace = 'replace';
export const toReplace = 'to replace';
export const destroy = 'destroy';
export const toDestroy = 'to destroy';
const import_ = 'import';
export const toImport = 'to import';
export const move = 'move';
export const toMove = 'to move';
export const forget = 'forget';
export const toForget = 'to forget';
export const read = 'read';
export const toRead = 'to read';
export const keep = 'keep';
export const unchanged = 'unchanged';
// Texts of use-plan.ts
export const youHaveNoPermission = 'You have no permission to read the plan as data.';
export const theClientThatMade = 'The client that made the plan did not upload it as data.';
export const thePlanIsToo = 'The plan is too large to show here.';
export const theUploadedDataIs = 'The uploaded data is not a plan.';

export { import_ as import };
