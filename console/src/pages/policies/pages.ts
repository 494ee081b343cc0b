/** Policies of the access API, as one chunk: the pages are small, and compress better together. */
export { ExplainPage } from './ExplainPage.tsx';
export { NewPolicyPage } from './NewPolicyPage.tsx';
export { PoliciesPage } from './PoliciesPage.tsx';
export { PolicyPage } from './PolicyPage.tsx';
