/** State versions of a workspace, as one chunk: the pages are small, and compress better together. */
export { StatesPage } from './StatesPage.tsx';
export { VersionPage } from './VersionPage.tsx';
