/** Moves organizations and access configuration between servers and files. */

export { Connection, type ConnectionSettings } from './connection/connection.ts';
export { MigrationError, type MigrationErrorKind, Refused } from './errors.ts';
export { exportOrganization, organizationFolder } from './files/organization-folder.ts';
export type { MissingSecret, Note } from './model/item.ts';
export { apiSource, type Choices, chosen } from './organization/api-source.ts';
export { migrateOrganization, type OrganizationSource } from './organization/migrate.ts';
export { organizationRules } from './organization/rules.ts';
export { openPlace } from './places/open-place.ts';
export { compilePattern } from './places/pattern.ts';
export { stateFileSource } from './places/state-files.ts';
export { isDone, type Report, reportLines } from './plan/report.ts';
export { STATE_CHOICES, type StateChoice } from './states/state-source.ts';
