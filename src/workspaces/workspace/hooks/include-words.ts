/** Words of `include` (spec §4.4, and additions of official clients), with underscores. */
export const INCLUDES = [
  'agent_pool',
  'current_assessment_result',
  'current_configuration_version',
  'current_configuration_version.ingress_attributes',
  'current_run',
  'current_run.apply',
  'current_run.configuration_version',
  'current_run.configuration_version.ingress_attributes',
  'current_run.plan',
  'current_state_version',
  'current_state_version.resources_processed',
  'effective_tag_bindings',
  'latest_run',
  'latest_run.apply',
  'latest_run.configuration_version',
  'latest_run.configuration_version.ingress_attributes',
  'latest_run.plan',
  'locked_by',
  'organization',
  'outputs',
  'project',
  'readme',
  'ssh_key',
  'vars',
] as const;

/** One of INCLUDES: a word of `include`. A word without a provider includes nothing. */
export type Include = (typeof INCLUDES)[number];
