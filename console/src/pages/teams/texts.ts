/** Texts of the teams page. */
// Texts of MembersPage.tsx
export const member = 'Member';
export const status = 'Status';
export const email = 'Email';
export const teams = 'Teams';
export const joined = 'Joined';
export const actions = 'Actions';
export const remove = 'Remove';
export const withdraw = 'Withdraw';
export const member2 = (email: string) => `member ${email}`;
export const invitationOf = (email: string) => `invitation of ${email}`;
export const theMemberLeavesEvery =
  'The member leaves every team of the organization. Their tokens no longer give access to it.';
export const youCanInviteThis = 'You can invite this email address again.';
export const members = 'Members';
export const invite = 'invite';
export const membersAreUsersOf =
  'Members are users of this organization. An invited person accepts with the link of the invitation, or by signing in with the invited email address.';
export const inviteMember = 'Invite member';
export const youHaveNoPermission = 'You have no permission to see the members. It requires can-manage-users.';
export const active = 'active';
export const invited = 'invited';
export const all = 'all';
export const membersOf = (organization: string) => `Members of ${organization}`;
export const invited2 = (email: string) => `Invited ${email}`;
export const inviteAMemberTo = (organization: string) => `Invite a member to ${organization}`;
export const invite2 = 'Invite';
export const enterAnEmailAddress = 'Enter an email address';
export const team = 'Team';
export const withoutATeamThe = 'A member without a team can see the organization, but has no access to its workspaces.';
export const noTeamYet = 'no team yet';
// Texts of PeopleTabs.tsx
export const teamsAndMembers = 'Teams and members';
// Texts of TeamsPage.tsx
export const everything = 'everything';
export const noOrganizationAccess = 'no organization access';
export const name = 'Name';
export const organizationAccess = 'Organization access';
export const visibleTo = 'Visible to';
export const itsMembers = 'its members';
export const everyMember = 'every member';
export const newTeam = 'new team';
export const aTeamIsA =
  'A team is a group of users with permissions. Machines and pipelines also get their permissions from teams.';
export const newTeam2 = 'New team';
export const teamsOf = (organization: string) => `Teams of ${organization}`;
export const createTeam = 'Create team';
export const enterAName = 'Enter a name';
export const everyMemberOfTheOrganization = 'every member of the organization';
export const onlyItsMembers = 'only its members';
// Texts of InvitationLink.tsx
export const newLink = 'New link';
export const aLinkIsCreated = 'A link is being created';
export const newLinkFor = (email: string) => `New link for ${email}`;
export const linkFor = (email: string) => `invitation link for ${email}`;
export const anEmailHasA = 'A link is sent by email too.';
export const sendTheLinkTo = 'Send the link to the person yourself.';
export const itWorksOnce = (end: string) => `It works once, until ${end}.`;
