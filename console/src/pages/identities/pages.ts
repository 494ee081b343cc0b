/** Entities and groups, as one chunk: the pages are small, and compress better together. */
export { EntitiesPage } from './EntitiesPage.tsx';
export { EntityPage } from './EntityPage.tsx';
export { GroupPage } from './GroupPage.tsx';
export { GroupsPage } from './GroupsPage.tsx';
