import * as is from '../../openapi/resource.ts';

/** Resources of health assessments, by type. Counts that were not reported are null. */
export const ASSESSMENT_RESOURCES = {
  'assessment-results': is.resource(
    'assessment-results',
    {
      'all-checks-succeeded': is.flag,
      'checks-errored': is.integerOrNull,
      'checks-failed': is.integerOrNull,
      'checks-passed': is.integerOrNull,
      'checks-unknown': is.integerOrNull,
      'created-at': is.time,
      drifted: is.flag,
      'error-message': is.textOrNull,
      'error-msg': is.textOrNull,
      'resources-drifted': is.integerOrNull,
      'resources-undrifted': is.integerOrNull,
      succeeded: is.flag,
    },
    { workspace: is.toOne('workspaces') },
  ),
};
