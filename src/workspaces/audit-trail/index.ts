import type { Module } from '../platform/module.ts';
import { baseline } from './migrations/baseline.ts';

export { AuditTrail } from './audit-trail.ts';
export { recordTrail } from './recording.ts';
export { auditTrailRoutes } from './routes.ts';

export const auditTrail: Module = {
  migrations: [baseline],
  sealedColumns: [],
};
