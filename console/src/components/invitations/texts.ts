/** Texts of open invitations. */
export const invitations = 'Invitations';
export const youAreInvitedTo = 'You are invited to';
export const accept = 'Accept';
export const decline = 'Decline';
export const acceptThe = (organization: string) => `Accept the invitation to ${organization}`;
export const declineThe = (organization: string) => `Decline the invitation to ${organization}`;
export const accepted = (organization: string) => `You are a member of ${organization}`;
export const declined = (organization: string) => `Invitation to ${organization} declined`;
