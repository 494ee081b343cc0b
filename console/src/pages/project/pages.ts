/** A project, as one chunk: the pages are small, and compress better together. */
export { ProjectAccess } from './ProjectAccess.tsx';
export { ProjectPage } from './ProjectPage.tsx';
export { ProjectSchedules } from './ProjectSchedules.tsx';
export { ProjectSettings } from './ProjectSettings.tsx';
export { ProjectWorkspaces } from './ProjectWorkspaces.tsx';
