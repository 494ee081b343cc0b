import type { Module } from '../platform/module.ts';
import { baseline } from './migrations/baseline.ts';
import { AUDIT_TRAIL_ANSWERS } from './openapi.ts';

export { AuditTrail } from './audit-trail.ts';
export { recordTrail } from './recording.ts';
export { auditTrailRoutes } from './routes.ts';

export const auditTrail: Module = {
  migrations: [baseline],
  sealedColumns: [],
  openApi: { resources: {}, answers: AUDIT_TRAIL_ANSWERS },
};
