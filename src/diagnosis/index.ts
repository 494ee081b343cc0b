/**
 * Health checks of a server with advice for each problem. They run in the CLI, whether the server runs or not, or
 * inside the server.
 */

export { Redactor } from './bundle/redactor.ts';
export { type Diagnosis, diagnose } from './diagnose.ts';
export { addressOf, askListener, seeListeners } from './listeners/ask-server.ts';
export { NotAvailable } from './model/check.ts';
export type {
  BackupFacts,
  IssuerFacts,
  ListFacts,
  SchemaState,
  SeenListener,
  Site,
  Stores,
  WorkFacts,
} from './model/site.ts';
export { cheapSubjects, subjects } from './subjects.ts';
