import type { BackgroundWork } from '../../lib/background/background-work.ts';
import type { Delivery } from '../delivery/index.ts';
import type { Platform } from '../platform/platform.ts';
import { Authentication } from './authentication/authentication.ts';
import { OrganizationExplanation } from './explanation/organization-explanation.ts';
import { Subjects } from './explanation/subjects.ts';
import { Federation } from './federation/federation.ts';
import { TenancyHooks } from './hooks/hooks.ts';
import { InvitationLinks } from './invitation/links.ts';
import { InvitationMail } from './invitation/mail.ts';
import { type InvitationLimits, InvitationUses } from './invitation/uses.ts';
import { Invitations } from './login/invitations.ts';
import { Logins } from './login/logins.ts';
import { SessionTokens } from './login/session-tokens.ts';
import { MachineIdentities } from './machine/identities.ts';
import { Memberships } from './membership/memberships.ts';
import { OrganizationChanges } from './organization/changes.ts';
import { Organizations } from './organization/organizations.ts';
import { OrganizationRemoval } from './organization/removal.ts';
import { OrganizationCreation } from './organization-lifecycle/creation.ts';
import { Passkeys } from './passkey/passkeys.ts';
import type { MachineAuthenticator } from './permissions/machine.ts';
import { PipelineExchange } from './pipeline/exchange.ts';
import { PipelineExplainer } from './pipeline/explanation.ts';
import { PipelineIdentities } from './pipeline/identities.ts';
import { type IssuerSource, PipelineTokenEvaluator } from './pipeline/token-evaluator.ts';
import { ProjectBindings } from './project/bindings.ts';
import { ProjectChanges } from './project/changes.ts';
import { Projects } from './project/projects.ts';
import { ProviderChecks } from './provider/check.ts';
import { Providers } from './provider/providers.ts';
import { createScim, type Scim } from './scim/scim.ts';
import { Sessions, type SessionTimes } from './session/sessions.ts';
import { SiteUsers } from './site-user/site-users.ts';
import { TeamMembers } from './team/members.ts';
import { Teams } from './team/teams.ts';
import { TokenIssuer } from './token/issuer.ts';
import { OrganizationTokens } from './token/organization-tokens.ts';
import { TeamTokens } from './token/team-tokens.ts';
import { Tokens } from './token/tokens.ts';
import { TtlPolicies } from './token/ttl-policies.ts';
import { Admission } from './user/admission.ts';
import { ServiceAccounts } from './user/service-accounts.ts';
import { Users } from './user/users.ts';

/** Tenancy: organizations with their projects, users, teams and machines, and authentication. */
export interface Tenancy {
  readonly hooks: TenancyHooks;
  readonly authentication: Authentication;
  readonly users: Users;
  readonly siteUsers: SiteUsers;
  readonly memberships: Memberships;
  readonly tokens: Tokens;
  readonly logins: Logins;
  readonly sessionTokens: SessionTokens;
  readonly sessions: Sessions;
  readonly passkeys: Passkeys;
  readonly invitationLinks: InvitationLinks;
  /** URL of this server, if it is configured: `https://lock.example`. */
  readonly address: string | undefined;
  readonly federation: Federation;
  readonly providers: Providers;
  readonly providerChecks: ProviderChecks;
  readonly scim: Scim;
  readonly invitations: Invitations;
  readonly teamTokens: TeamTokens;
  readonly organizationTokens: OrganizationTokens;
  readonly ttlPolicies: TtlPolicies;
  readonly organizations: Organizations;
  readonly organizationCreation: OrganizationCreation;
  readonly organizationChanges: OrganizationChanges;
  readonly organizationRemoval: OrganizationRemoval;
  readonly projects: Projects;
  readonly projectChanges: ProjectChanges;
  readonly projectBindings: ProjectBindings;
  readonly teams: Teams;
  readonly teamMembers: TeamMembers;
  readonly identities: MachineIdentities;
  readonly pipelineIdentities: PipelineIdentities;
  readonly pipelineExplainer: PipelineExplainer;
  readonly pipelineExchange: PipelineExchange;
  readonly subjects: Subjects;
  readonly organizationExplanation: OrganizationExplanation;
  readonly background: readonly BackgroundWork[];
}

const HOUR_MS = 3_600_000;
/** Default durations of sessions, for values that the configuration does not set. */
const SESSION_TIMES: SessionTimes = {
  idleMs: 8 * HOUR_MS,
  lifetimeMs: 24 * HOUR_MS,
  recentMs: HOUR_MS,
};

export interface TenancyOptions {
  /** Authenticates machines by their tokens. If absent, machines cannot log in. */
  readonly machines?: MachineAuthenticator | undefined;
  /** Durations of console sessions. Absent: the defaults. */
  readonly sessionTimes?: SessionTimes | undefined;
  /** How to fetch the keys of pipeline issuers and of organizations' identity providers. */
  readonly issuers: Omit<IssuerSource, 'clock'>;
  /** URL of this server, if it is configured: `https://lock.example`. */
  readonly address?: string | undefined;
  /** Whether organizations may have their own identity providers. Default: true. */
  readonly organizationProviders?: boolean | undefined;
  /** Whether the link of an invitation lets its holder create an account. Default: false. */
  readonly invitedAccounts?: boolean | undefined;
  /** Daily limits of invitations of the whole server. */
  readonly invitationLimits?: InvitationLimits | undefined;
  /** Sends invitations by email. */
  readonly delivery?: Delivery | undefined;
  /** Whether deleted workspaces can be restored for some time. Default: true. */
  readonly recoversWorkspaces?: boolean;
}

export function createTenancy(
  platform: Platform,
  { machines, sessionTimes, issuers, address, organizationProviders = true, ...options }: TenancyOptions,
): Tenancy {
  const { database, keyring, clock, report } = platform;
  const hooks = new TenancyHooks();
  const admission = new Admission(clock);
  const users = new Users(database, clock, admission);
  const serviceAccounts = new ServiceAccounts(clock);
  const organizations = new Organizations(database, serviceAccounts, options.recoversWorkspaces ?? true);
  const projects = new Projects(database, organizations);
  const projectChanges = new ProjectChanges({ database, clock, organizations, projects, hooks });
  const teams = new Teams(database, clock, organizations);
  const identities = new MachineIdentities({ database, clock, teams, hooks, report });
  const issuer = new TokenIssuer(keyring, clock);
  const tokens = new Tokens({ database, keyring, clock, issuer, organizations, teams });
  const sessions = new Sessions({ database, clock, issuer, times: sessionTimes ?? SESSION_TIMES });
  const ttlPolicies = new TtlPolicies(database, clock, organizations);
  const { delivery, invitedAccounts: accounts = false, invitationLimits: limits = {} } = options;
  const uses = new InvitationUses({ database, clock, limits, report, note: (...noted) => delivery?.note(...noted) });
  const mail = invitationMail(platform, delivery, address, uses);
  const memberships = new Memberships({ database, organizations, teams, users, admission, mail });
  const passkeys = new Passkeys({ database, clock, users, sessions });
  const invitationLinks = new InvitationLinks({
    ...{ database, clock, memberships, admission, users, passkeys, sessions, uses, accounts },
  });
  mail?.use(invitationLinks);
  const authentication = new Authentication({ database, keyring, clock, identities, machines, hooks, report });
  const pipelineIdentities = new PipelineIdentities({ database, clock, teams });
  const evaluator = new PipelineTokenEvaluator({ ...issuers, clock });
  const subjects = new Subjects({ authentication, organizations, teams, users });
  const organizationRemoval = new OrganizationRemoval({ database, clock, organizations, hooks, report });
  const providers = new Providers({
    ...{ database, keyring, clock, organizations, address },
    areAllowed: organizationProviders,
  });
  const scim = createScim({ database, keyring, clock, users, admission, issuer, tokens });
  return {
    hooks,
    authentication,
    users,
    siteUsers: new SiteUsers({ clock, users, tokens }),
    memberships,
    tokens,
    logins: new Logins({ database, keyring, clock, authentication, tokens }),
    sessionTokens: new SessionTokens({ authentication, tokens, teams, organizations, sessions }),
    sessions,
    passkeys,
    invitationLinks,
    address,
    federation: new Federation({ database, clock, users, admission, sessions, directory: scim.users }),
    scim,
    providers,
    providerChecks: new ProviderChecks(providers, issuers.fetch),
    invitations: new Invitations({ keyring, clock, authentication, memberships }),
    teamTokens: new TeamTokens({ database, clock, issuer, organizations, teams, ttlPolicies }),
    organizationTokens: new OrganizationTokens({ database, clock, issuer, organizations, ttlPolicies }),
    ttlPolicies,
    organizations,
    organizationCreation: new OrganizationCreation({
      database,
      clock,
      organizations,
      projects: projectChanges,
      teams,
      admission,
      users,
      hooks,
    }),
    organizationChanges: new OrganizationChanges({ database, organizations, hooks, serviceAccounts, ttlPolicies }),
    organizationRemoval,
    projects,
    projectChanges,
    projectBindings: new ProjectBindings(database, clock, projects),
    teams,
    teamMembers: new TeamMembers(database, teams),
    identities,
    pipelineIdentities,
    pipelineExplainer: new PipelineExplainer(pipelineIdentities, evaluator),
    pipelineExchange: new PipelineExchange({ database, clock, issuer, ttlPolicies, evaluator }),
    subjects,
    organizationExplanation: new OrganizationExplanation(organizations, subjects),
    background: [organizationRemoval, evaluator, uses],
  };
}

/** Without an SMTP server or a URL of this server, invitations are not sent by email. */
function invitationMail(
  { clock, database }: Platform,
  delivery: Delivery | undefined,
  address: string | undefined,
  uses: InvitationUses,
): InvitationMail | undefined {
  if (delivery?.mailer === undefined || address === undefined) return undefined;
  const mail = new InvitationMail({ database, clock, mailer: delivery.mailer, uses, address, note: delivery.note });
  delivery.add(mail);
  return mail;
}
