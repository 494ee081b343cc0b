/** Tokens of the access API, as one chunk: the pages are small, and compress better together. */
export { LeasesPage } from './LeasesPage.tsx';
export { NewTokenPage } from './NewTokenPage.tsx';
export { TokenDetailsPage } from './TokenDetailsPage.tsx';
export { NewTokenRolePage, TokenRolePage } from './TokenRolePage.tsx';
export { TokenRolesPage } from './TokenRolesPage.tsx';
export { TokensPage } from './TokensPage.tsx';
export { WrappingPage } from './WrappingPage.tsx';
