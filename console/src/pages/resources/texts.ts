/** Texts of the resources page. */
// Texts of ResourceGraph.tsx
export const state = (serial: number | null) => `state ${serial}`;
export const changesSince = 'Changes since';
export const noComparison = 'no comparison';
export const theGraph = 'The graph';
export const resourcesOf = (workspace: string) => `Resources of ${workspace}`;
export const theComparison = 'The comparison';
export const sinceState = (serial: number | null) => `Since state ${serial}:`;
export const theGraphOfThe = 'The graph of the older state';
export const changesSinceState = (serial: number | null) => `Changes since state ${serial}`;
export const theGraphIsToo = 'The graph is too large to draw';
export const noGraph = 'No graph';
export const thereAreResources = (resourceCount: string) => `There are ${resourceCount} resources. `;
export const theListShowsAll = 'The list shows all of them with their dependencies.';
export const rootModule = 'root module';
// Texts of ResourceList.tsx
export const searchInAddresses = 'Search in addresses';
export const type = 'Type';
export const allTypes = 'all types';
export const provider = 'Provider';
export const allProviders = 'all providers';
export const resource = 'resource';
export const found = (resources: string) => `${resources} found`;
export const theResources = 'The resources';
export const resources = 'Resources';
export const noMatchingResources = 'No matching resources';
export const showAllResources = 'Show all resources';
export const noResourceOfThe = 'No resource of the current state matches all filters.';
export const resource2 = 'Resource';
export const dependencies = 'Dependencies';
export const updated = 'Updated';
export const modules = 'Modules';
export const all = 'all';
export const theResource = 'The resource';
export const theResourceIsNot = 'The resource is not in the current state.';
export const close = 'Close';
export const module = 'Module';
export const key = 'Key';
export const created = 'Created';
export const updatedByState = 'Updated by state';
export const unknownTheServerRead =
  'Unknown: the server read this state before it recorded dependencies. The next state will show them.';
export const none = 'None.';
// Texts of ResourcesPage.tsx
export const noResourcesYet = 'No resources yet';
export const resourcesOfTheCurrent = 'Resources of the current state appear here after the first apply.';
export const views = 'Views';
export const graph = 'Graph';
export const list = 'List';
export const inText = (total: string) => `${total} in`;
// Texts of modules.ts
export const root = 'root';
