export { type Constraint, isSatisfied, parseConstraint } from './constraint.ts';
export { compareNumbers, compareVersions, isFullVersion, parseVersion, type Version, versionText } from './version.ts';
