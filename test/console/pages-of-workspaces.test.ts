import { visitPages } from './support/visits.ts';

await visitPages('workspaces');
