/**
 * Health checks of a server with advice for each problem. They run in the CLI, whether the server runs or not, or
 * inside the server.
 */

export { askTasks } from './background/ask-tasks.ts';
export { Redactor } from './bundle/redactor.ts';
export { type Diagnosis, diagnose } from './diagnose.ts';
export { addressOf, askListener, seeListeners } from './listeners/ask-server.ts';
export type { Subject } from './model/check.ts';
export { NotAvailable } from './model/check.ts';
export type {
  BackupFacts,
  IssuerFacts,
  ListFacts,
  SchemaState,
  SeenListener,
  Site,
  Stores,
  TaskFacts,
  WorkFacts,
} from './model/site.ts';
export { cheapSubjects, subjects } from './subjects.ts';
