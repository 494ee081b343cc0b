/**
 * Words of structured lines (`-json`) of OpenTofu and Terraform: member names, and values from a fixed set. Programs
 * need them to parse a line. They are public, so they are not masked even if a sensitive variable has such a value.
 */
export const WORDS: ReadonlySet<string> = new Set(
  `@level @message @module @timestamp terraform.ui tofu.ui type terraform tofu ui
  trace debug info warn warning error
  version log diagnostic init_output resource_drift planned_change planned_action_invocation change_summary outputs
  apply_start apply_progress apply_complete apply_errored provision_start provision_progress provision_complete
  provision_errored refresh_start refresh_complete ephemeral_op_start ephemeral_op_progress ephemeral_op_complete
  ephemeral_op_errored action_start action_progress action_complete action_errored deferred_change
  test_abstract test_file test_run test_plan test_state test_summary test_cleanup test_interrupt
  hook change changes resource previous_resource deferred reason importing id
  addr module implied_provider resource_type resource_name resource_key provisioner output
  action operation plan apply destroy no-op noop create read update delete replace remove import forget move open renew close
  add elapsed_seconds id_key id_value tainted requested cannot_update delete_because_no_resource_config
  severity summary detail address range filename start end line column byte
  snippet context code start_line highlight_start_offset highlight_end_offset values traversal statement function_call
  sensitive value null true false
  string number bool list map set tuple object dynamic`.split(/\s+/),
);
