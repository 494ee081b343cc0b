/** What is wrong with an installation, and what to do about it: from the outside, whether the server runs or not, or from within. */

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
