/** Act that makes a user a requester of a run. */
export type RequesterPart =
  | ('start' | 'trigger' | 'configuration' | 'commit' | 'schedule' | 'auto_destroy' | 'retry')
  /** Reported the plan, because no agent executes the run. */
  | 'plan';

/** Somebody on whose behalf a run exists, so that their approval does not count. */
export interface Requester {
  /** Their act. */
  readonly part: RequesterPart;
  /**
   * `names`: user name at a VCS provider, in lower case. `organization`: its token, which any of its administrators may
   * have used.
   */
  readonly type: 'users' | 'teams' | 'names' | 'organization';
  readonly id: string;
  /**
   * Users who were in the team when the run started, any of whom may be the requester. Null for no team, and for a team
   * with too many members.
   */
  readonly members: readonly string[] | null;
}

/** User whose approval is evaluated. */
interface Approver {
  readonly id: string;
  readonly name: string;
  readonly teamIds: readonly string[];
}

/**
 * Returns why a rule that excludes requesters does not count the approval, as a sentence without its full stop;
 * undefined if the user is none of them.
 */
export function refusalOfRequesters(requesters: readonly Requester[], person: Approver): string | undefined {
  for (const requester of requesters) {
    const refusal = refusalOf(requester, person);
    if (refusal !== undefined) return refusal;
  }
  return undefined;
}

function refusalOf({ part, type, id, members }: Requester, person: Approver): string | undefined {
  const act = ACTS[part];
  if (type === 'users') return id === person.id ? byUser(act) : undefined;
  if (type === 'names') return id === person.name.toLowerCase() ? byUser(act) : undefined;
  if (type === 'organization') return byOrganization(part);
  if (members === null) return byLargeTeam(part);
  // Members who joined after the start are refused too: a token of the team may have been theirs before.
  return members.includes(person.id) || person.teamIds.includes(id) ? byTeam(act) : undefined;
}

const ACTS: Readonly<Record<RequesterPart, string>> = {
  start: 'started the run',
  trigger: 'started a run that triggered this run',
  configuration: 'created the configuration version of the run',
  commit: 'pushed the commit of the run',
  schedule: 'last changed the schedule that started the run',
  auto_destroy: 'last changed the auto-destroy setting that started the run',
  retry: 'retried the automatic destroy run',
  plan: 'reported the plan of the run',
};
/** Acts of a known person that replace those of an unknown one. */
const REMEDIES: Readonly<Record<RequesterPart, string>> = {
  start: 'Start the run again',
  trigger: 'Start the triggering run again',
  configuration: 'Create the configuration version again',
  commit: 'Create the configuration version again',
  schedule: 'Save the schedule again with a change',
  auto_destroy: 'Save the auto-destroy setting again with a change',
  retry: 'Retry the destroy run',
  plan: 'Start another run, and report its plan',
};

const byUser = (act: string) => `The user ${act}, and the rule does not count the approval of that user`;
const byTeam = (act: string) =>
  `A token of a team ${act}, and the user is or was a member of this team. The rule does not count the approval of that user, and any member may be the one`;
const byLargeTeam = (part: RequesterPart) =>
  `A token of a team ${ACTS[part]}, and the team has too many members to know who did. No approval counts. ${REMEDIES[part]} as a user, or with a token of a user or of a smaller team`;
const byOrganization = (part: RequesterPart) =>
  `The organization token ${ACTS[part]}, so that no person is known. No approval counts. ${REMEDIES[part]} as a user, or with a token of a user or of a team`;
