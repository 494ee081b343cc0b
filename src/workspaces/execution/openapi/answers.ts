import {
  type Answers,
  accepted,
  countedPage,
  done,
  listAnswer,
  made,
  orNothing,
  pageAnswer,
  resourceAnswer,
} from '../../openapi/answer.ts';
import { EXPLORER_ANSWERS } from './explorer.ts';

/** Responses of the execution routes. */
export const EXECUTION_ANSWERS: Answers = {
  ...EXPLORER_ANSWERS,

  'POST /runs': made('runs'),
  'GET /runs/:run_id': resourceAnswer('runs'),
  'GET /workspaces/:workspace_id/runs': pageAnswer('runs'),
  'GET /organizations/:organization_name/runs': countedPage('runs', 'RunPageMeta'),
  'GET /organizations/:organization_name/runs/queue': pageAnswer('runs'),
  'GET /agent-pools/:agent_pool_id/runs': pageAnswer('runs'),
  'POST /runs/:run_id/actions/apply': accepted,
  'POST /runs/:run_id/actions/discard': accepted,
  'POST /runs/:run_id/actions/cancel': accepted,
  'POST /runs/:run_id/actions/force-cancel': accepted,
  'POST /runs/:run_id/actions/force-execute': accepted,
  'POST /runs/:run_id/actions/advance': resourceAnswer('runs'),
  'POST /agents/:agent_id/actions/claim': orNothing(resourceAnswer('jobs')),
  'GET /jobs/:job_id': resourceAnswer('jobs'),
  'POST /jobs/:job_id/actions/start': done,
  'POST /jobs/:job_id/actions/heartbeat': resourceAnswer('job-standings'),
  'PATCH /jobs/:job_id/log': resourceAnswer('job-standings'),
  'POST /jobs/:job_id/actions/finish': done,
  'GET /runs/:run_id/run-events': listAnswer('run-events'),
  'GET /run-events/:id': resourceAnswer('run-events'),
  'GET /runs/:run_id/comments': listAnswer('comments'),
  'POST /runs/:run_id/comments': made('comments'),
  'GET /comments/:id': resourceAnswer('comments'),

  'GET /plans/:id': resourceAnswer('plans'),
  'POST /plans/:id/actions/append-log': resourceAnswer('plans'),
  'GET /plans/:id/sanitized-plan': done,
  'GET /applies/:id': resourceAnswer('applies'),
  'POST /applies/:id/actions/append-log': resourceAnswer('applies'),
};
