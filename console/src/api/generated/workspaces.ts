// Made of the OpenAPI document by `node build/generate-console-api.ts`; do not edit by hand.

export interface Schemas {
  CountedPageMeta: {
    pagination: {
      'current-page': number;
      'page-size': number;
      'prev-page': number | null;
      'next-page': number | null;
      'total-pages'?: number;
      'total-count'?: number;
    };
    counts?: {
      total: number;
      locked: number;
      'run-status': Readonly<Record<string, number>>;
    };
  };
  Errors: {
    errors: readonly ({
      id?: string;
      status: string;
      code?: string;
      title: string;
      detail: string;
      source?: {
        pointer?: string;
        parameter?: string;
      };
    })[];
  };
  PageLinks: {
    self: string | null;
    first: string | null;
    prev: string | null;
    next: string | null;
    last?: string | null;
  };
  PageMeta: {
    pagination: {
      'current-page': number;
      'page-size': number;
      'prev-page': number | null;
      'next-page': number | null;
      'total-pages'?: number;
      'total-count'?: number;
    };
  };
  Resource: {
    id: string;
    type: string;
    attributes: Readonly<Record<string, unknown>>;
  };
  RunPageMeta: {
    pagination: {
      'current-page': number;
      'page-size': number;
      'prev-page': number | null;
      'next-page': number | null;
      'total-pages'?: number;
      'total-count'?: number;
    };
    counts?: {
      statuses: Readonly<Record<string, number>>;
      'at-least': readonly (string)[];
    };
  };
  organizations: {
    id: string;
    type: 'organizations';
    attributes: {
      name: string;
      email: string;
      'aggregated-commit-status-enabled': boolean;
      'assessments-enforced': boolean;
      'cost-estimation-enabled': boolean;
      'enforce-hyok': boolean;
      'max-ttl-enabled': boolean;
      'plan-merge-result': boolean;
      'pull-request-comments': boolean;
      'registry-monorepo-support-enabled': boolean;
      'send-passing-statuses-for-untriggered-speculative-plans': boolean;
      'speculative-plan-management-enabled': boolean;
      'stacks-enabled': boolean;
      'collaborator-auth-policy': 'password' | 'two_factor_mandatory';
      'fork-plans': 'never' | 'approved';
      'owners-team-saml-role-id': string | null;
      'session-remember': number | null;
      'session-timeout': number | null;
      'allow-force-delete-workspaces': boolean;
      'default-engine': 'opentofu' | 'terraform';
      'default-execution-mode': 'remote' | 'local' | 'agent';
      'user-tokens-enabled': boolean;
      'external-id': string;
      'created-at': string;
      'recoverable-items-enabled': boolean;
      'two-factor-conformant': boolean;
      permissions: {
        'can-traverse': boolean;
        'can-update': boolean;
        'can-destroy': boolean;
        'can-access-via-teams': boolean;
        'can-create-team': boolean;
        'can-create-project': boolean;
        'can-create-workspace': boolean;
        'can-create-workspace-migration': boolean;
        'can-manage-users': boolean;
        'can-manage-tags': boolean;
        'can-manage-varsets': boolean;
        'can-read-varsets': boolean;
        'can-manage-run-tasks': boolean;
        'can-read-run-tasks': boolean;
        'can-update-oauth': boolean;
        'can-update-ssh-keys': boolean;
        'can-update-agent-pools': boolean;
        'can-update-sentinel': boolean;
        'can-update-api-token': boolean;
        'can-manage-auditing': boolean;
        'can-manage-sso': boolean;
        'can-manage-subscription': boolean;
        'can-start-trial': boolean;
        'can-create-module': boolean;
        'can-create-provider': boolean;
        'can-manage-custom-providers': boolean;
        'can-manage-public-modules': boolean;
        'can-manage-public-providers': boolean;
        'can-manage-no-code-modules': boolean;
        'can-deploy-no-code-modules': boolean;
      };
      'is-unified': boolean;
      'fair-run-queuing-enabled': boolean;
      'plan-expired': boolean;
      'plan-expires-at': string | null;
      'plan-is-trial': boolean;
      'plan-is-enterprise': boolean;
      'remaining-testable-count': number;
      'saml-enabled': boolean;
      'trial-expires-at': string | null;
    };
    relationships: {
      'authentication-token': {
        links: {
          related: string;
        };
      };
      'data-retention-policy'?: {
        data: {
          type: string;
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      'default-agent-pool': {
        data: {
          type: 'agent-pools';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      'default-project': {
        data: {
          type: 'projects';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      'entitlement-set': {
        links: {
          related: string;
        };
      };
      'oauth-tokens': {
        links: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'entitlement-sets': {
    id: string;
    type: 'entitlement-sets';
    attributes: {
      agents: boolean;
      'audit-logging': boolean;
      'configuration-designer': boolean;
      'cost-estimation': boolean;
      'global-run-tasks': boolean;
      infragraph: boolean;
      'infragraph-with-nrtu': boolean;
      'module-tests-generation': boolean;
      'policy-enforcement': boolean;
      'private-module-registry': boolean;
      'private-policy-agents': boolean;
      'private-run-tasks': boolean;
      'private-vcs': boolean;
      'run-tasks': boolean;
      'self-serve-billing': boolean;
      sentinel: boolean;
      sso: boolean;
      'state-storage': boolean;
      teams: boolean;
      'usage-reporting': boolean;
      'vcs-integrations': boolean;
      'waypoint-actions': boolean;
      'waypoint-templates-and-addons': boolean;
      operations: boolean;
      'policy-limit': number | null;
      'policy-mandatory-enforcement-limit': number | null;
      'policy-set-limit': number | null;
      'run-task-limit': number | null;
      'run-task-mandatory-enforcement-limit': number | null;
      'run-task-workspace-limit': number | null;
      'user-limit': number | null;
      'versioned-policy-set-limit': number | null;
    };
    links?: Readonly<Record<string, string>>;
  };
  subscriptions: {
    id: string;
    type: 'subscriptions';
    attributes: {
      'is-active': boolean;
      'is-public-free-tier': boolean;
      'is-self-serve-trial': boolean;
      'start-at': string;
      'end-at': null;
      'agents-ceiling': null;
      'contract-apply-limit': null;
      'contract-managed-resources-limit': null;
      'contract-user-limit': null;
      'policy-limit': null;
      'policy-mandatory-enforcement-limit': null;
      'policy-set-limit': null;
      'run-task-limit': null;
      'run-task-mandatory-enforcement-limit': null;
      'run-task-workspace-limit': null;
      'runs-ceiling': null;
      'versioned-policy-set-limit': null;
    };
    relationships: {
      organization: {
        data: {
          type: 'organizations';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  users: {
    id: string;
    type: 'users';
    attributes: {
      username: string;
      'is-service-account': boolean;
      'avatar-url': string;
      'v2-only': boolean;
      email?: string;
      'is-admin'?: boolean;
      'is-suspended'?: boolean;
      'is-site-admin'?: boolean;
      'unconfirmed-email'?: string | null;
      'two-factor'?: {
        enabled: boolean;
        verified: boolean;
      };
      permissions?: {
        'can-create-organizations': boolean;
        'can-change-email': boolean;
        'can-change-username': boolean;
        'can-manage-user-tokens': boolean;
        'can-view2fa-settings': boolean;
        'can-manage-hcp-account': boolean;
      };
    };
    relationships: {
      'authentication-tokens': {
        links: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  teams: {
    id: string;
    type: 'teams';
    attributes: {
      name: string;
      visibility: 'secret' | 'organization';
      'users-count': number;
      'is-unified': boolean;
      'sso-team-id': string | null;
      'scim-linked'?: boolean;
      'scim-group-name'?: string | null;
      'scim-sync-paused'?: boolean;
      'scim-updated-at'?: string | null;
      'allow-member-token-management': boolean;
      'organization-access': {
        'manage-workspaces': boolean;
        'read-workspaces': boolean;
        'manage-projects': boolean;
        'read-projects': boolean;
        'manage-policies': boolean;
        'manage-policy-overrides': boolean;
        'delegate-policy-overrides': boolean;
        'manage-run-tasks': boolean;
        'manage-vcs-settings': boolean;
        'manage-agent-pools': boolean;
        'manage-providers': boolean;
        'manage-modules': boolean;
        'manage-membership': boolean;
        'manage-teams': boolean;
        'manage-organization-access': boolean;
        'access-secret-teams': boolean;
      };
      permissions: {
        'can-read': boolean;
        'can-destroy': boolean;
        'can-update-name': boolean;
        'can-update-visibility': boolean;
        'can-update-sso-team-id': boolean;
        'can-update-member-token-management': boolean;
        'can-update-organization-access': boolean;
        'can-update-membership': boolean;
        'can-update-api-token': boolean;
        'can-view-api-token': boolean;
        'can-manage-machine-identities': boolean;
      };
    };
    relationships: {
      organization: {
        data: {
          type: 'organizations';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      users?: {
        data: readonly ({
          type: 'users';
          id: string;
        })[];
        links?: {
          related: string;
        };
      };
      'organization-memberships'?: {
        data: readonly ({
          type: 'organization-memberships';
          id: string;
        })[];
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'organization-memberships': {
    id: string;
    type: 'organization-memberships';
    attributes: {
      status: 'active' | 'invited';
      email: string;
      'created-at': string;
    };
    relationships: {
      organization: {
        data: {
          type: 'organizations';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      user: {
        data: {
          type: 'users';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      teams: {
        data: readonly ({
          type: 'teams';
          id: string;
        })[];
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'access-explanations': {
    id: string;
    type: 'access-explanations';
    attributes: {
      'subject-name': string | null;
      token: 'user' | 'machine' | 'team' | 'organization' | 'agent' | 'task' | null;
      permissions: readonly ({
        permission: string;
        allowed: boolean;
        reason: 'granted' | 'nothing' | 'setting' | 'suspended' | 'user-tokens';
        setting: string | null;
        from: readonly ({
          kind: 'owners' | 'organization-access' | 'project-access' | 'workspace-access' | 'membership' | 'organization-token' | 'job' | 'run-task';
          'team-id': string | null;
          'team-name': string | null;
          gives: string | null;
          'access-id': string | null;
        })[];
        'given-by': readonly (string)[];
      })[];
    };
    relationships: {
      target: {
        data: {
          type: 'organizations' | 'workspaces';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      subject: {
        data: {
          type: string;
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'machine-identities': {
    id: string;
    type: 'machine-identities';
    attributes: {
      'acts-for': string;
      mount: string;
      role: string;
      'common-name': string | null;
      'created-at': string;
      'last-used-at': string | null;
    };
    relationships: {
      organization: {
        data: {
          type: 'organizations';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      team: {
        data: {
          type: 'teams';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      'agent-pool': {
        data: {
          type: 'agent-pools';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'pipeline-identities': {
    id: string;
    type: 'pipeline-identities';
    attributes: {
      description: string;
      issuer: string;
      'jwks-url': string | null;
      audiences: readonly (string)[];
      claims: Readonly<Record<string, readonly (unknown)[]>>;
      'token-ttl': number;
      'created-at': string;
      'last-used-at': string | null;
    };
    relationships: {
      team: {
        data: {
          type: 'teams';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'scim-settings': {
    id: string;
    type: 'scim-settings';
    attributes: {
      enabled: boolean;
      paused: boolean;
      'site-admin-group-scim-id': string | null;
      'site-admin-group-display-name': string | null;
    };
    links?: Readonly<Record<string, string>>;
  };
  'scim-groups': {
    id: string;
    type: 'scim-groups';
    attributes: {
      name: string;
    };
    links?: Readonly<Record<string, string>>;
  };
  'sign-in-providers': {
    id: string;
    type: 'sign-in-providers';
    attributes: {
      name: string;
      issuer: string;
      'client-id': string;
      'has-client-secret': boolean;
      scopes: readonly (string)[];
      claims: {
        name: string;
        email: string;
        groups: string;
      };
      create: string;
      'sso-team-ids': boolean;
      teams: readonly ({
        group: string;
        team: string;
      })[];
      'certificate-authorities': string | null;
      'callback-url': string;
      'logout-url': string;
      'created-at': string;
      'updated-at': string;
    };
    relationships: {
      organization: {
        data: {
          type: 'organizations';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'sign-in-provider-checks': {
    id: string;
    type: 'sign-in-provider-checks';
    attributes: {
      status: 'skipped' | 'success' | 'warning' | 'failure';
      verdicts: readonly ({
        check: string;
        status: 'skipped' | 'success' | 'warning' | 'failure';
        found: string;
        detail: string | null;
        advice: string | null;
      })[];
    };
    relationships: {
      organization: {
        data: {
          type: 'organizations';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'pipeline-explanations': {
    id: string;
    type: 'pipeline-explanations';
    attributes: {
      admitted: boolean;
      algorithm: string | null;
      'key-id': string | null;
      claims: Readonly<Record<string, unknown>> | null;
      verdicts: readonly ({
        check: string;
        outcome: 'passed' | 'refused';
        expected: string;
        actual: string;
      })[];
      identities: readonly ({
        id: string;
        description: string;
        admitted: boolean;
        verdicts: readonly ({
          check: string;
          outcome: 'passed' | 'refused';
          expected: string;
          actual: string;
        })[];
      })[];
    };
    relationships: {
      team: {
        data: {
          type: 'teams';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'authentication-tokens': {
    id: string;
    type: 'authentication-tokens';
    attributes: {
      token: string | null;
      description: string | null;
      'created-at': string;
      'last-used-at': string | null;
      'expired-at': string | null;
    };
    relationships: {
      'created-by': {
        data: {
          type: string;
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      team?: {
        data: {
          type: 'teams';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      organization?: {
        data: {
          type: 'organizations';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  sessions: {
    id: string;
    type: 'sessions';
    attributes: {
      'signed-in-by': 'token' | 'oidc' | 'passkey';
      'is-current': boolean;
      address: string;
      browser: string;
      'created-at': string;
      'last-used-at': string;
      'idle-at': string;
      'expires-at': string;
    };
    relationships: {
      user: {
        data: {
          type: 'users';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'invitation-links': {
    id: string;
    type: 'invitation-links';
    attributes: {
      url: string;
      'expires-at': string;
      'is-mailed': boolean;
    };
    links?: Readonly<Record<string, string>>;
  };
  passkeys: {
    id: string;
    type: 'passkeys';
    attributes: {
      name: string;
      host: string;
      'is-syncable': boolean;
      'is-synced': boolean;
      transports: readonly (string)[];
      'created-at': string;
      'last-used-at': string | null;
    };
    relationships: {
      user: {
        data: {
          type: 'users';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'organization-token-ttl-policies': {
    id: string;
    type: 'organization-token-ttl-policies';
    attributes: {
      'token-type': string;
      'max-ttl-ms': number | null;
      'created-at': string;
      'updated-at': string;
    };
    links?: Readonly<Record<string, string>>;
  };
  projects: {
    id: string;
    type: 'projects';
    attributes: {
      name: string;
      description: string | null;
      'created-at': string;
      'workspace-count': number;
      'team-count': number;
      'is-unified': boolean;
      'auto-destroy-activity-duration': string | null;
      'default-execution-mode': 'remote' | 'local' | 'agent';
      'setting-overwrites': {
        'default-execution-mode': boolean;
        'default-agent-pool': boolean;
      };
      permissions: {
        'can-read': boolean;
        'can-update': boolean;
        'can-destroy': boolean;
        'can-create-workspace': boolean;
        'can-move-workspace': boolean;
        'can-move-stack': boolean;
        'can-deploy-no-code-modules': boolean;
        'can-read-teams': boolean;
        'can-manage-teams': boolean;
        'can-manage-tags': boolean;
        'can-manage-in-hcp': boolean;
        'can-manage-ephemeral-workspace-for-projects': boolean;
        'can-read-varsets': boolean;
        'can-manage-varsets': boolean;
      };
    };
    relationships: {
      organization: {
        data: {
          type: 'organizations';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      'default-agent-pool': {
        data: {
          type: 'agent-pools';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      'tag-bindings': {
        links: {
          related: string;
        };
      };
      'effective-tag-bindings': {
        data?: readonly ({
          type: 'effective-tag-bindings';
          id: string;
        })[];
        links: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'tag-bindings': {
    id: string;
    type: 'tag-bindings';
    attributes: {
      key: string;
      value: string;
      'created-at': string;
    };
    links?: Readonly<Record<string, string>>;
  };
  'effective-tag-bindings': {
    id?: string;
    type: 'effective-tag-bindings';
    attributes: {
      key: string;
      value: string;
    };
    links?: Readonly<Record<string, string>>;
    relationships?: {
      'inherited-from': {
        data: {
          type: 'projects';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
    };
  };
  workspaces: {
    id: string;
    type: 'workspaces';
    attributes: {
      'allow-destroy-plan': boolean;
      'assessments-enabled': boolean;
      'auto-apply': boolean;
      'auto-apply-run-trigger': boolean;
      'can-queue-destroy-plan': boolean;
      'file-triggers-enabled': boolean;
      'global-remote-state': boolean;
      'inherits-project-auto-destroy': boolean;
      locked: boolean;
      operations: boolean;
      'project-remote-state': boolean;
      'queue-all-runs': boolean;
      'speculative-enabled': boolean;
      'structured-run-output-enabled': boolean;
      actions: {
        'is-destroyable': boolean;
      };
      'apply-duration-average': number | null;
      'auto-destroy-activity-duration': string | null;
      'auto-destroy-at': string | null;
      'auto-destroy-explanation': string | null;
      'auto-destroy-next-attempt-at': string | null;
      'auto-destroy-run-id': string | null;
      'auto-destroy-source': string | null;
      'auto-destroy-status': string | null;
      'created-at': string;
      description: string | null;
      'effective-run-data-retention-desc': string | null;
      'effective-state-version-retention-desc': string | null;
      engine: 'opentofu' | 'terraform' | null;
      'engine-version': string;
      environment: string;
      'execution-mode': 'remote' | 'local' | 'agent';
      'last-assessment-result-at': string | null;
      'latest-change-at': string;
      'locked-at': string | null;
      'locked-by-name': string | null;
      'locked-reason': string | null;
      'migration-environment': string;
      name: string;
      'oauth-client-name': string | null;
      permissions: {
        'can-read-settings': boolean;
        'can-read-run': boolean;
        'can-read-variable': boolean;
        'can-read-state-versions': boolean;
        'can-read-state-outputs': boolean;
        'can-read-assessment-results': boolean;
        'can-queue-run': boolean;
        'can-lock': boolean;
        'can-unlock': boolean;
        'can-queue-apply': boolean;
        'can-queue-destroy': boolean;
        'can-update-variable': boolean;
        'can-create-state-versions': boolean;
        'can-manage-tags': boolean;
        'can-update': boolean;
        'can-destroy': boolean;
        'can-force-unlock': boolean;
        'can-manage-run-tasks': boolean;
        'can-manage-assessments': boolean;
        'can-manage-ephemeral-workspaces': boolean;
        'can-force-delete': boolean;
      };
      'plan-duration-average': number | null;
      'policy-check-failures': number | null;
      'resource-count': number;
      'run-failures': number | null;
      'setting-overwrites': {
        'execution-mode': boolean;
        'agent-pool': boolean;
      };
      source: string;
      'source-name': string | null;
      'source-url': string | null;
      'tag-names': readonly (string)[];
      'terraform-version': string;
      'trigger-patterns': readonly (string)[];
      'trigger-prefixes': readonly (string)[];
      'updated-at': string;
      'vcs-repo': {
        branch: string;
        'display-identifier': string | null;
        'github-app-installation-id': string | null;
        identifier: string | null;
        'ingress-submodules': boolean;
        'oauth-token-id': string | null;
        'repository-http-url'?: string | null;
        'service-provider': string | null;
        tags: boolean;
        'tags-regex': string | null;
        'webhook-url': string | null;
      } | null;
      'vcs-repo-identifier': string | null;
      'working-directory': string | null;
      'workspace-kpis-runs-count': number | null;
    };
    relationships: {
      'agent-pool': {
        data: {
          type: 'agent-pools';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      'current-assessment-result': {
        data: {
          type: 'assessment-results';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      'current-configuration-version': {
        data: {
          type: 'configuration-versions';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      'current-run': {
        data: {
          type: 'runs';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      'current-state-version': {
        data: {
          type: 'state-versions';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      'data-retention-policy'?: {
        data: {
          type: 'data-retention-policy-delete-olders' | 'data-retention-policy-dont-deletes' | 'data-retention-policies';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      'effective-tag-bindings': {
        data?: readonly ({
          type: 'effective-tag-bindings';
          id: string;
        })[];
        links: {
          related: string;
        };
      };
      'latest-run': {
        data: {
          type: 'runs';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      'locked-by': {
        data: {
          type: string;
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      organization: {
        data: {
          type: 'organizations';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      outputs: {
        data: readonly ({
          type: 'workspace-outputs';
          id: string;
        })[];
        links?: {
          related: string;
        };
      };
      project: {
        data: {
          type: 'projects';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      readme: {
        data: {
          type: 'workspace-readme';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      'remote-state-consumers': {
        links: {
          related: string;
        };
      };
      'ssh-key': {
        data: {
          type: 'ssh-keys';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      'tag-bindings': {
        links: {
          related: string;
        };
      };
      vars: {
        data: readonly ({
          type: 'vars';
          id: string;
        })[];
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'terraform-versions': {
    id: string;
    type: 'terraform-versions';
    attributes: {
      version: string;
      url: null;
      sha: null;
      archs: readonly (Readonly<Record<string, unknown>>)[];
      usage: null;
      'created-at': null;
      deprecated: boolean;
      official: boolean;
      enabled: boolean;
      beta: boolean;
      'deprecated-reason': null;
    };
    links?: Readonly<Record<string, string>>;
  };
  'opa-versions': {
    id: string;
    type: 'opa-versions';
    attributes: {
      version: string;
      url: null;
      sha: null;
      archs: readonly (Readonly<Record<string, unknown>>)[];
      usage: null;
      'created-at': null;
      deprecated: boolean;
      official: boolean;
      enabled: boolean;
      beta: boolean;
      'deprecated-reason': null;
    };
    links?: Readonly<Record<string, string>>;
  };
  'sentinel-versions': {
    id: string;
    type: 'sentinel-versions';
    attributes: {
      version: string;
      url: null;
      sha: null;
      archs: readonly (Readonly<Record<string, unknown>>)[];
      usage: null;
      'created-at': null;
      deprecated: boolean;
      official: boolean;
      enabled: boolean;
      beta: boolean;
      'deprecated-reason': null;
    };
    links?: Readonly<Record<string, string>>;
  };
  'data-retention-policy-delete-olders': {
    id: string;
    type: 'data-retention-policy-delete-olders';
    attributes: {
      'delete-older-than-n-days'?: number;
      deleteOlderThanNDays?: number;
      'state-versions-delete-after-n-days'?: number;
      stateVersionsDeleteAfterNDays?: number;
      'configuration-versions-delete-after-n-days'?: number;
      configurationVersionsDeleteAfterNDays?: number;
      'run-data-and-logs-delete-after-n-days'?: number;
      runDataAndLogsDeleteAfterNDays?: number;
      'state-versions-keep-latest-count'?: number;
      stateVersionsKeepLatestCount?: number;
      'configuration-versions-keep-latest-count'?: number;
      configurationVersionsKeepLatestCount?: number;
      'run-data-keep-latest-count'?: number;
      runDataKeepLatestCount?: number;
      'delete-state-versions'?: boolean;
      deleteStateVersions?: boolean;
      'delete-configuration-versions'?: boolean;
      deleteConfigurationVersions?: boolean;
      'delete-run-data-and-logs'?: boolean;
      deleteRunDataAndLogs?: boolean;
    };
    relationships: {
      target: {
        data: {
          type: 'workspaces' | 'organizations';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'data-retention-policy-dont-deletes': {
    id: string;
    type: 'data-retention-policy-dont-deletes';
    attributes: {
      'delete-older-than-n-days'?: number;
      deleteOlderThanNDays?: number;
      'state-versions-delete-after-n-days'?: number;
      stateVersionsDeleteAfterNDays?: number;
      'configuration-versions-delete-after-n-days'?: number;
      configurationVersionsDeleteAfterNDays?: number;
      'run-data-and-logs-delete-after-n-days'?: number;
      runDataAndLogsDeleteAfterNDays?: number;
      'state-versions-keep-latest-count'?: number;
      stateVersionsKeepLatestCount?: number;
      'configuration-versions-keep-latest-count'?: number;
      configurationVersionsKeepLatestCount?: number;
      'run-data-keep-latest-count'?: number;
      runDataKeepLatestCount?: number;
      'delete-state-versions'?: boolean;
      deleteStateVersions?: boolean;
      'delete-configuration-versions'?: boolean;
      deleteConfigurationVersions?: boolean;
      'delete-run-data-and-logs'?: boolean;
      deleteRunDataAndLogs?: boolean;
    };
    relationships: {
      target: {
        data: {
          type: 'workspaces' | 'organizations';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'data-retention-policies': {
    id: string;
    type: 'data-retention-policies';
    attributes: {
      'delete-older-than-n-days'?: number;
      deleteOlderThanNDays?: number;
      'state-versions-delete-after-n-days'?: number;
      stateVersionsDeleteAfterNDays?: number;
      'configuration-versions-delete-after-n-days'?: number;
      configurationVersionsDeleteAfterNDays?: number;
      'run-data-and-logs-delete-after-n-days'?: number;
      runDataAndLogsDeleteAfterNDays?: number;
      'state-versions-keep-latest-count'?: number;
      stateVersionsKeepLatestCount?: number;
      'configuration-versions-keep-latest-count'?: number;
      configurationVersionsKeepLatestCount?: number;
      'run-data-keep-latest-count'?: number;
      runDataKeepLatestCount?: number;
      'delete-state-versions'?: boolean;
      deleteStateVersions?: boolean;
      'delete-configuration-versions'?: boolean;
      deleteConfigurationVersions?: boolean;
      'delete-run-data-and-logs'?: boolean;
      deleteRunDataAndLogs?: boolean;
    };
    relationships: {
      target: {
        data: {
          type: 'workspaces' | 'organizations';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'team-workspaces': {
    id: string;
    type: 'team-workspaces';
    attributes: {
      access: 'read' | 'plan' | 'write' | 'admin' | 'custom';
      runs: 'none' | 'read' | 'plan' | 'apply';
      variables: 'none' | 'read' | 'write';
      'state-versions': 'none' | 'read-outputs' | 'read' | 'write';
      'sentinel-mocks': 'none' | 'read';
      'workspace-locking': boolean;
      'run-tasks': boolean;
      'policy-overrides': boolean;
    };
    relationships: {
      team: {
        data: {
          type: 'teams';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      workspace: {
        data: {
          type: 'workspaces';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'team-projects': {
    id: string;
    type: 'team-projects';
    attributes: {
      access: 'read' | 'write' | 'maintain' | 'admin' | 'custom';
      'project-access': {
        settings: 'none' | 'read' | 'update' | 'delete';
        teams: 'none' | 'read' | 'manage';
        'variable-sets': 'none' | 'read' | 'write';
      };
      'workspace-access': {
        runs: 'none' | 'read' | 'plan' | 'apply';
        variables: 'none' | 'read' | 'write';
        'state-versions': 'none' | 'read-outputs' | 'read' | 'write';
        'sentinel-mocks': 'none' | 'read';
        locking: boolean;
        'run-tasks': boolean;
        'policy-overrides': boolean;
        create: boolean;
        move: boolean;
        delete: boolean;
      };
    };
    relationships: {
      team: {
        data: {
          type: 'teams';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      project: {
        data: {
          type: 'projects';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  tags: {
    id: string;
    type: 'tags';
    attributes: {
      name: string;
      'created-at': string;
      'instance-count': number;
    };
    relationships: {
      organization: {
        data: {
          type: 'organizations';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'reserved-tag-keys': {
    id: string;
    type: 'reserved-tag-keys';
    attributes: {
      key: string;
      'disable-overrides': boolean;
      'created-at': string;
      'updated-at': string;
    };
    links?: Readonly<Record<string, string>>;
  };
  'lock-events': {
    id: string;
    type: 'lock-events';
    attributes: {
      reason: string;
      'locked-at': string;
      'locked-by-name': string | null;
      'unlocked-at': string | null;
      'unlocked-by-name': string | null;
      'held-seconds': number | null;
      forced: boolean;
    };
    relationships: {
      workspace: {
        data: {
          type: 'workspaces';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      'locked-by': {
        data: {
          type: string;
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      'unlocked-by': {
        data: {
          type: string;
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'recoverable-items': {
    id: string;
    type: 'recoverable-items';
    attributes: {
      name: string;
      'recoverable-name': string;
      'resource-type': 'workspaces';
      'unmanaged-resources': number;
      'deleted-at': string;
      'expires-at': string;
    };
    relationships: {
      organization: {
        data: {
          type: 'organizations';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      project: {
        data: {
          type: 'projects';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      resource: {
        data: {
          type: 'workspaces';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      recoverable: {
        data: {
          type: 'workspaces';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      'deleted-by': {
        data: {
          type: string;
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'ssh-keys': {
    id: string;
    type: 'ssh-keys';
    attributes: {
      name: string;
    };
    links?: Readonly<Record<string, string>>;
  };
  'state-versions': {
    id: string;
    type: 'state-versions';
    attributes: {
      modules: Readonly<Record<string, Readonly<Record<string, number>>>>;
      providers: Readonly<Record<string, Readonly<Record<string, number>>>>;
      resources: readonly ({
        name: string;
        type: string;
        module: string;
        provider: string;
        count: number;
      })[];
      'billable-rum-count': number;
      'created-at': string;
      'created-by-certificate': {
        mount: string;
        role: string;
        subject: string;
        'serial-number': string;
      } | null;
      encrypted: boolean;
      'hosted-json-state-download-url': string | null;
      'hosted-json-state-upload-url': string | null;
      'hosted-state-download-url': string | null;
      'hosted-state-upload-url': string | null;
      intermediate: boolean;
      lineage: string | null;
      md5: string;
      'resources-processed': boolean;
      serial: number;
      size: number;
      'state-version': number | null;
      status: 'pending' | 'finalized' | 'discarded' | 'backing_data_soft_deleted' | 'backing_data_permanently_deleted';
      'terraform-version': string | null;
      'vcs-commit-sha': string | null;
      'vcs-commit-url': string | null;
    };
    relationships: {
      'created-by': {
        data: {
          type: string;
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      outputs: {
        data: readonly ({
          type: 'state-version-outputs';
          id: string;
        })[];
        links?: {
          related: string;
        };
      };
      'rollback-state-version': {
        data: {
          type: 'state-versions';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      run: {
        data: {
          type: 'runs';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      workspace: {
        data: {
          type: 'workspaces';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'state-version-outputs': {
    id: string;
    type: 'state-version-outputs';
    attributes: {
      name: string;
      sensitive: boolean;
      type: string;
      value: unknown;
      'detailed-type'?: unknown;
    };
    links?: Readonly<Record<string, string>>;
  };
  'workspace-outputs': {
    id: string;
    type: 'workspace-outputs';
    attributes: {
      name: string;
      sensitive: boolean;
      type: string;
      value: unknown;
      'detailed-type'?: unknown;
      'output-type': string;
    };
    links?: Readonly<Record<string, string>>;
  };
  resources: {
    id: string;
    type: 'resources';
    attributes: {
      address: string;
      name: string;
      module: string;
      provider: string;
      'provider-type': string;
      'modified-by-state-version-id': string;
      'name-index': string | null;
      'created-at': string;
      'updated-at': string;
      dependencies: readonly (string)[] | null;
    };
    links?: Readonly<Record<string, string>>;
  };
  'state-version-graphs': {
    id: string;
    type: 'state-version-graphs';
    attributes: {
      reason: string | null;
      'resource-count': number;
      resources: readonly ({
        name: string;
        type: string;
        module: string;
        provider: string;
        address: string;
        instances: number;
        dependencies: readonly (number)[];
      })[];
    };
    links?: Readonly<Record<string, string>>;
  };
  'state-version-diffs': {
    id: string;
    type: 'state-version-diffs';
    attributes: {
      comparable: boolean;
      reason: string | null;
      resources: {
        added: readonly ({
          name: string;
          type: string;
          module: string;
          provider: string;
          address: string;
        })[];
        changed: readonly ({
          name: string;
          type: string;
          module: string;
          provider: string;
          address: string;
        })[];
        removed: readonly ({
          name: string;
          type: string;
          module: string;
          provider: string;
          address: string;
        })[];
      };
      outputs: {
        added: readonly ({
          name: string;
          sensitive: boolean;
        })[];
        changed: readonly ({
          name: string;
          sensitive: boolean;
        })[];
        removed: readonly ({
          name: string;
          sensitive: boolean;
        })[];
      };
      'changed-by': {
        type: string;
        id: string;
        certificate: {
          mount: string;
          role: string;
          subject: string;
          'serial-number': string;
        } | null;
      };
      'changed-at': string;
      'serial-from': number | null;
      'serial-to': number;
    };
    relationships: {
      from: {
        data: {
          type: 'state-versions';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      to: {
        data: {
          type: 'state-versions';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      run: {
        data: {
          type: 'runs';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      'created-by': {
        data: {
          type: string;
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  vars: {
    id: string;
    type: 'vars';
    attributes: {
      key: string;
      category: 'terraform' | 'env';
      value: string | null;
      description: string | null;
      hcl: boolean;
      sensitive: boolean;
      'apply-only': boolean;
      'created-at': string;
      'version-id': string;
    };
    relationships: {
      configurable?: {
        data: {
          type: 'workspaces';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      varset?: {
        data: {
          type: 'varsets';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  varsets: {
    id: string;
    type: 'varsets';
    attributes: {
      name: string;
      description: string | null;
      global: boolean;
      priority: boolean;
      'updated-at': string;
      'var-count': number;
      'workspace-count': number;
      'project-count': number;
      permissions: {
        'can-update': boolean;
      };
    };
    relationships: {
      organization: {
        data: {
          type: 'organizations';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      parent: {
        data: {
          type: 'organizations' | 'projects';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      vars: {
        data: readonly ({
          type: 'vars';
          id: string;
        })[];
        links?: {
          related: string;
        };
      };
      workspaces: {
        data: readonly ({
          type: 'workspaces';
          id: string;
        })[];
        links?: {
          related: string;
        };
      };
      projects: {
        data: readonly ({
          type: 'projects';
          id: string;
        })[];
        links?: {
          related: string;
        };
      };
      stacks: {
        data: readonly ({
          type: 'stacks';
          id: string;
        })[];
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'vcs-events': {
    id: string;
    type: 'vcs-events';
    attributes: {
      'created-at': string;
      level: 'info' | 'error';
      message: string;
      'organization-id': string;
      'suggested-action': string | null;
      kind: 'push' | 'tag' | 'pull';
      state: 'waiting' | 'done' | 'failed';
      ref: string;
      'before-sha': string | null;
      'after-sha': string | null;
      'repository-identifier': string;
      'sender-name': string | null;
      'compare-url': string | null;
      'pull-request-number': number | null;
      'report-problem': string | null;
      'run-count': number;
      'verdict-count': number;
      verdict?: {
        outcome: 'run' | 'speculative' | 'skipped';
        code: string;
        text: string;
        'without-secrets': boolean;
        checks: readonly ({
          question: string;
          'question-text': string;
          passes: boolean;
          code: string;
          text: string;
        })[];
      };
    };
    relationships: {
      'oauth-client': {
        data: {
          type: 'oauth-clients';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      'oauth-token': {
        data: {
          type: 'oauth-tokens';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      'vcs-repository': {
        data: {
          type: 'vcs-repositories';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      run?: {
        data: {
          type: 'runs';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'vcs-repositories': {
    id: string;
    type: 'vcs-repositories';
    attributes: {
      identifier: string;
      'display-identifier': string;
      'http-url': string;
      'default-branch': string | null;
      health: 'ok' | 'gone' | 'forbidden' | 'unreachable';
      'health-reason': string | null;
      'health-since': string;
      'looked-up-at': string | null;
      'webhook-state': 'none' | 'wanted' | 'made' | 'manual' | 'removed';
      'webhook-problem': string | null;
      'webhook-url': string | null;
      'webhook-by-hand': boolean;
      'webhook-secret': string | null;
      'last-delivery-at': string | null;
      'workspace-count': number;
    };
    relationships: {
      'oauth-token': {
        data: {
          type: 'oauth-tokens';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      'github-app-installation': {
        data: {
          type: 'github-app-installations';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      deliveries: {
        links: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'vcs-links': {
    id: string;
    type: 'vcs-links';
    attributes: {
      state: 'waiting' | 'linked' | 'problem';
      problem: string | null;
      'display-identifier': string | null;
      'http-url': string | null;
      'default-branch': string | null;
      health: 'ok' | 'gone' | 'forbidden' | 'unreachable' | null;
      'health-reason': string | null;
      'health-since': string | null;
      'looked-up-at': string | null;
      'next-look-up-at': string | null;
      'webhook-state': 'none' | 'wanted' | 'made' | 'manual' | 'removed';
      'webhook-problem': string | null;
      'webhook-url': string | null;
      'last-delivery-at': string | null;
    };
    relationships: {
      workspace: {
        data: {
          type: 'workspaces';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      'vcs-repository': {
        data: {
          type: 'vcs-repositories';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'vcs-verdicts': {
    id: string;
    type: 'vcs-verdicts';
    attributes: {
      'workspace-name': string;
      outcome: 'run' | 'speculative' | 'skipped';
      code: string;
      text: string;
      'without-secrets': boolean;
      checks: readonly ({
        question: string;
        'question-text': string;
        passes: boolean;
        code: string;
        text: string;
      })[];
      'plan-progress': 'waiting' | 'running' | 'changes' | 'unchanged' | 'failed' | 'canceled' | null;
      'apply-progress': 'none' | 'confirmation' | 'running' | 'applied' | 'failed' | 'canceled' | 'discarded' | null;
      'resource-additions': number | null;
      'resource-changes': number | null;
      'resource-destructions': number | null;
      'can-approve': boolean;
    };
    relationships: {
      workspace: {
        data: {
          type: 'workspaces';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      run: {
        data: {
          type: 'runs';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'vcs-deliveries': {
    id: string;
    type: 'vcs-deliveries';
    attributes: {
      'delivery-id': string;
      'received-at': string;
      outcome: string;
      hints: readonly (string)[];
    };
    links?: Readonly<Record<string, string>>;
  };
  'oauth-clients': {
    id: string;
    type: 'oauth-clients';
    attributes: {
      name: string | null;
      'created-at': string;
      'updated-at': string;
      uuid: string;
      'api-url': string;
      'http-url': string;
      'callback-url': string | null;
      'connect-path': string | null;
      key: string | null;
      'ado-entra-tenant-id': string | null;
      'rsa-public-key': string | null;
      secret: string | null;
      'service-provider': 'github' | 'github_enterprise' | 'gitlab_hosted' | 'gitlab_community_edition' | 'gitlab_enterprise_edition' | 'bitbucket_hosted' | 'bitbucket_server' | 'bitbucket_data_center' | 'ado_server' | 'ado_services' | 'gitea' | 'forgejo' | 'git';
      'service-provider-display-name': string;
      'organization-scoped': boolean;
      'allowed-repositories': readonly (string)[];
      'affected-workspaces-count': number;
      'connection-status': 'unverified' | 'ok' | 'refused' | 'unreachable';
      'connection-status-reason': string | null;
      'connection-status-since': string | null;
      'connection-checked-at': string | null;
    };
    relationships: {
      organization: {
        data: {
          type: 'organizations';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      'agent-pool': {
        data: {
          type: 'agent-pools';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      'oauth-tokens': {
        data: readonly ({
          type: 'oauth-tokens';
          id: string;
        })[];
        links?: {
          related: string;
        };
      };
      projects: {
        data: readonly ({
          type: 'projects';
          id: string;
        })[];
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'fork-approvals': {
    id: string;
    type: 'fork-approvals';
    attributes: {
      'pull-request-number': number;
      'commit-sha': string;
      'approved-at': string;
      'approved-by-name': string;
    };
    relationships: {
      workspace: {
        data: {
          type: 'workspaces';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      'approved-by': {
        data: {
          type: 'users';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'vcs-explanations': {
    id: string;
    type: 'vcs-explanations';
    attributes: {
      kind: 'push' | 'tag' | 'pull';
      ref: string;
      'commit-sha': string | null;
      'pull-request-number': number | null;
      outcome: 'run' | 'speculative' | 'skipped';
      code: string;
      text: string;
      'without-secrets': boolean;
      checks: readonly ({
        question: string;
        'question-text': string;
        passes: boolean;
        code: string;
        text: string;
      })[];
      source: 'decided' | 'waiting' | 'computed';
      problem: string | null;
      'decided-at': string | null;
    };
    relationships: {
      workspace: {
        data: {
          type: 'workspaces';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      event: {
        data: {
          type: 'vcs-events';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      run: {
        data: {
          type: 'runs';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'vcs-previews': {
    id: string;
    type: 'vcs-previews';
    attributes: {
      ref: string;
      'commit-sha': string;
      message: string | null;
      author: string | null;
      'committed-at': string | null;
      outcome: 'run' | 'speculative' | 'skipped';
      code: string;
      text: string;
      'without-secrets': boolean;
      checks: readonly ({
        question: string;
        'question-text': string;
        passes: boolean;
        code: string;
        text: string;
      })[];
    };
    links?: Readonly<Record<string, string>>;
  };
  'oauth-tokens': {
    id: string;
    type: 'oauth-tokens';
    attributes: {
      uid: string | null;
      'created-at': string;
      'service-provider-user': string;
      'has-ssh-key': boolean;
      'expires-at': string | null;
      scopes: readonly (string)[];
      'excess-scopes': readonly (string)[];
    };
    relationships: {
      'oauth-client': {
        data: {
          type: 'oauth-clients';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      'vcs-organizations': {
        links: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'github-apps': {
    id: string;
    type: 'github-apps';
    attributes: {
      name: string;
      slug: string;
      'http-url': string;
      'created-at': string;
      'install-url': string;
      'connect-path': string;
    };
    relationships: {
      organization: {
        data: {
          type: 'organizations';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'github-app-installations': {
    id: string;
    type: 'github-app-installations';
    attributes: {
      name: string;
      'installation-id': number;
      'icon-url': string;
      'installation-type': string;
      'installation-url': string;
      'connection-status': 'unverified' | 'ok' | 'refused' | 'unreachable';
      'connection-status-reason': string | null;
      'connection-status-since': string | null;
      'connection-checked-at': string | null;
      'affected-workspaces-count': number;
    };
    relationships: {
      organization: {
        data: {
          type: 'organizations';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'github-app-oauth-tokens': {
    id: string;
    type: 'github-app-oauth-tokens';
    attributes: {
      'created-at': string;
      'github-username': string;
    };
    relationships: {
      user: {
        data: {
          type: 'users';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'github-app-repos': {
    id: string;
    type: 'github-app-repos';
    attributes: {
      name: string;
      identifier: string;
      private: boolean;
      'installation-id': string;
    };
    links?: Readonly<Record<string, string>>;
  };
  'authorized-repos': {
    id: string;
    type: 'authorized-repos';
    attributes: {
      name: string;
      'display-identifier': string;
    };
    relationships: {
      'oauth-token': {
        data: {
          type: 'oauth-tokens';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'vcs-organization': {
    id: string;
    type: 'vcs-organization';
    attributes: {
      name: string;
    };
    links?: Readonly<Record<string, string>>;
  };
  'vcs-repo-check': {
    id: string;
    type: 'vcs-repo-check';
    attributes: {
      exists: boolean;
      identifier: string;
      'display-identifier': string;
      'default-branch': string | null;
    };
    links?: Readonly<Record<string, string>>;
  };
  'vcs-branches': {
    id: string;
    type: 'vcs-branches';
    attributes: {
      name: string;
      'is-default': boolean;
    };
    links?: Readonly<Record<string, string>>;
  };
  'vcs-tree': {
    id: string;
    type: 'vcs-tree';
    attributes: {
      path: string;
    };
    links?: Readonly<Record<string, string>>;
  };
  runs: {
    id: string;
    type: 'runs';
    attributes: {
      'allow-config-generation': boolean;
      'allow-empty-apply': boolean;
      'auto-apply': boolean;
      'invoke-action-addrs': readonly (string)[] | null;
      'is-destroy': boolean;
      'plan-only': boolean;
      'policy-paths': readonly (string)[] | null;
      refresh: boolean;
      'refresh-only': boolean;
      'replace-addrs': readonly (string)[] | null;
      'save-plan': boolean;
      'target-addrs': readonly (string)[] | null;
      'terraform-version': string;
      client: string | null;
      engine: 'opentofu' | 'terraform' | null;
      'engine-used': string | null;
      'engine-warning': string | null;
      actions: {
        'is-cancelable': boolean;
        'is-confirmable': boolean;
        'is-discardable': boolean;
        'is-force-cancelable': boolean;
      };
      approvals: {
        required: number;
        given: number;
        missing: string | null;
        confirmed: boolean;
        'cannot-approve-because': string | null;
      } | null;
      'agent-name': string | null;
      'canceled-at': string | null;
      'confirmed-by-name': string | null;
      'created-at': string;
      'created-by-name': string | null;
      'force-cancel-available-at': string | null;
      'has-changes': boolean;
      message: string;
      permissions: {
        'can-apply': boolean;
        'can-approve': boolean;
        'can-cancel': boolean;
        'can-comment': boolean;
        'can-discard': boolean;
        'can-force-cancel': boolean;
        'can-force-execute': boolean;
        'can-override-policy-check': boolean;
      };
      'position-in-queue': number;
      source: string;
      status: 'pending' | 'fetching' | 'fetching_completed' | 'pre_plan_running' | 'pre_plan_awaiting_decision' | 'pre_plan_completed' | 'queuing' | 'plan_queued' | 'planning' | 'planned' | 'cost_estimating' | 'cost_estimated' | 'policy_checking' | 'policy_override' | 'policy_soft_failed' | 'policy_checked' | 'tf_policy_override' | 'tf_policy_checked' | 'post_plan_running' | 'post_plan_awaiting_decision' | 'post_plan_completed' | 'planned_and_saved' | 'confirmed' | 'pre_apply_running' | 'pre_apply_completed' | 'queuing_apply' | 'apply_queued' | 'applying' | 'post_apply_running' | 'post_apply_completed' | 'assessing' | 'assessed' | 'applied' | 'planned_and_finished' | 'discarded' | 'errored' | 'canceled' | 'force_canceled';
      'status-timestamps': Readonly<Record<string, string>>;
      'trigger-reason': string;
      untrusted: boolean;
      variables: readonly ({
        key: string;
        value: string;
      })[] | null;
      'waiting-for': string | null;
      'without-agent': boolean;
    };
    relationships: {
      apply: {
        data: {
          type: 'applies';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      comments: {
        data: readonly ({
          type: 'comments';
          id: string;
        })[];
        links?: {
          related: string;
        };
      };
      'configuration-version': {
        data: {
          type: 'configuration-versions';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      'confirmed-by': {
        data: {
          type: 'users';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      'confirmed-by-team': {
        data: {
          type: 'teams';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      'cost-estimate': {
        data: {
          type: string;
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      'created-by': {
        data: {
          type: 'users';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      'created-by-team': {
        data: {
          type: 'teams';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      plan: {
        data: {
          type: 'plans';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      'policy-checks': {
        data: readonly ({
          type: 'policy-checks';
          id: string;
        })[];
        links?: {
          related: string;
        };
      };
      'run-events': {
        data: readonly ({
          type: 'run-events';
          id: string;
        })[];
        links?: {
          related: string;
        };
      };
      'task-stages': {
        data: readonly ({
          type: 'task-stages';
          id: string;
        })[];
        links?: {
          related: string;
        };
      };
      workspace: {
        data: {
          type: 'workspaces';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  plans: {
    id: string;
    type: 'plans';
    attributes: {
      'has-changes': boolean;
      'generated-configuration': boolean;
      'log-read-url': string;
      'resource-additions': number;
      'resource-changes': number;
      'resource-destructions': number;
      'resource-imports': number;
      status: 'pending' | 'queued' | 'running' | 'finished' | 'errored' | 'canceled' | 'unreachable';
      'status-timestamps': Readonly<Record<string, string>>;
      'log-bytes': number;
    };
    relationships: {
      exports: {
        data: readonly ({
          type: 'plan-exports';
          id: string;
        })[];
        links?: {
          related: string;
        };
      };
      run: {
        data: {
          type: 'runs';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  applies: {
    id: string;
    type: 'applies';
    attributes: {
      'log-read-url': string;
      'resource-additions': number;
      'resource-changes': number;
      'resource-destructions': number;
      'resource-imports': number;
      status: 'pending' | 'queued' | 'running' | 'finished' | 'errored' | 'canceled' | 'unreachable';
      'status-timestamps': Readonly<Record<string, string>>;
      'log-bytes': number;
    };
    relationships: {
      run: {
        data: {
          type: 'runs';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'run-events': {
    id: string;
    type: 'run-events';
    attributes: {
      action: string;
      'actor-name': string | null;
      'created-at': string;
      description: string | null;
    };
    relationships: {
      actor: {
        data: {
          type: 'users';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      'actor-team': {
        data: {
          type: 'teams';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      comment: {
        data: {
          type: 'comments';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      run: {
        data: {
          type: 'runs';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  comments: {
    id: string;
    type: 'comments';
    attributes: {
      body: string;
      'created-at': string;
    };
    relationships: {
      author: {
        data: {
          type: 'users';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      'author-team': {
        data: {
          type: 'teams';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      run: {
        data: {
          type: 'runs';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'organization-capacity': {
    id: string;
    type: 'organization-capacity';
    attributes: {
      pending: number;
      running: number;
    };
    links?: Readonly<Record<string, string>>;
  };
  'visibility-workspace': {
    id: string;
    type: 'visibility-workspace';
    attributes: {
      'all-checks-succeeded'?: boolean | null;
      'current-rum-count'?: number | null;
      'checks-errored'?: number | null;
      'checks-failed'?: number | null;
      'checks-passed'?: number | null;
      'checks-unknown'?: number | null;
      'current-run-applied-at'?: string | null;
      'current-run-external-id'?: string | null;
      'current-run-status'?: string | null;
      drifted?: boolean | null;
      'external-id'?: string | null;
      'module-count'?: number | null;
      modules?: string | null;
      'organization-name'?: string | null;
      'project-external-id'?: string | null;
      'project-name'?: string | null;
      'provider-count'?: number | null;
      providers?: string | null;
      'resource-count'?: number | null;
      'resources-drifted'?: number | null;
      'resources-undrifted'?: number | null;
      'source-module-id'?: string | null;
      'state-version-terraform-version'?: string | null;
      tags?: string | null;
      'vcs-repo-identifier'?: string | null;
      'workspace-created-at'?: string | null;
      'workspace-name'?: string | null;
      'workspace-terraform-version'?: string | null;
      'workspace-updated-at'?: string | null;
      engine?: string | null;
      'execution-mode'?: string | null;
      'assessed-at'?: string | null;
      'last-applied-at'?: string | null;
      'days-since-apply'?: number | null;
    };
    links?: Readonly<Record<string, string>>;
  };
  'visibility-tf-version': {
    id: string;
    type: 'visibility-tf-version';
    attributes: {
      'unique-identifier'?: string | null;
      version?: string | null;
      engine?: string | null;
      'workspace-count'?: number | null;
      workspaces?: string | null;
    };
    links?: Readonly<Record<string, string>>;
  };
  'visibility-provider-version': {
    id: string;
    type: 'visibility-provider-version';
    attributes: {
      name?: string | null;
      source?: string | null;
      version?: string | null;
      'registry-type'?: string | null;
      curated?: boolean | null;
      'workspace-count'?: number | null;
      workspaces?: string | null;
    };
    links?: Readonly<Record<string, string>>;
  };
  'visibility-module-version': {
    id: string;
    type: 'visibility-module-version';
    attributes: {
      name?: string | null;
      source?: string | null;
      version?: string | null;
      'registry-type'?: string | null;
      curated?: boolean | null;
      'workspace-count'?: number | null;
      workspaces?: string | null;
    };
    links?: Readonly<Record<string, string>>;
  };
  'visibility-resource-type': {
    id: string;
    type: 'visibility-resource-type';
    attributes: {
      'resource-type'?: string | null;
      provider?: string | null;
      'instance-count'?: number | null;
      'workspace-count'?: number | null;
      workspaces?: string | null;
    };
    links?: Readonly<Record<string, string>>;
  };
  'explorer-rows': {
    id: string;
    type: 'visibility-workspace';
    attributes: {
      'all-checks-succeeded'?: boolean | null;
      'current-rum-count'?: number | null;
      'checks-errored'?: number | null;
      'checks-failed'?: number | null;
      'checks-passed'?: number | null;
      'checks-unknown'?: number | null;
      'current-run-applied-at'?: string | null;
      'current-run-external-id'?: string | null;
      'current-run-status'?: string | null;
      drifted?: boolean | null;
      'external-id'?: string | null;
      'module-count'?: number | null;
      modules?: string | null;
      'organization-name'?: string | null;
      'project-external-id'?: string | null;
      'project-name'?: string | null;
      'provider-count'?: number | null;
      providers?: string | null;
      'resource-count'?: number | null;
      'resources-drifted'?: number | null;
      'resources-undrifted'?: number | null;
      'source-module-id'?: string | null;
      'state-version-terraform-version'?: string | null;
      tags?: string | null;
      'vcs-repo-identifier'?: string | null;
      'workspace-created-at'?: string | null;
      'workspace-name'?: string | null;
      'workspace-terraform-version'?: string | null;
      'workspace-updated-at'?: string | null;
      engine?: string | null;
      'execution-mode'?: string | null;
      'assessed-at'?: string | null;
      'last-applied-at'?: string | null;
      'days-since-apply'?: number | null;
    };
    links?: Readonly<Record<string, string>>;
  } | {
    id: string;
    type: 'visibility-tf-version';
    attributes: {
      'unique-identifier'?: string | null;
      version?: string | null;
      engine?: string | null;
      'workspace-count'?: number | null;
      workspaces?: string | null;
    };
    links?: Readonly<Record<string, string>>;
  } | {
    id: string;
    type: 'visibility-provider-version';
    attributes: {
      name?: string | null;
      source?: string | null;
      version?: string | null;
      'registry-type'?: string | null;
      curated?: boolean | null;
      'workspace-count'?: number | null;
      workspaces?: string | null;
    };
    links?: Readonly<Record<string, string>>;
  } | {
    id: string;
    type: 'visibility-module-version';
    attributes: {
      name?: string | null;
      source?: string | null;
      version?: string | null;
      'registry-type'?: string | null;
      curated?: boolean | null;
      'workspace-count'?: number | null;
      workspaces?: string | null;
    };
    links?: Readonly<Record<string, string>>;
  } | {
    id: string;
    type: 'visibility-resource-type';
    attributes: {
      'resource-type'?: string | null;
      provider?: string | null;
      'instance-count'?: number | null;
      'workspace-count'?: number | null;
      workspaces?: string | null;
    };
    links?: Readonly<Record<string, string>>;
  };
  'explorer-saved-queries': {
    id: string;
    type: 'explorer-saved-queries';
    attributes: {
      name: string;
      'created-at': string;
      query: {
        type: string;
        filter: readonly ({
          field: string;
          operator: string;
          value: readonly (string)[];
        })[];
        fields: readonly (string)[];
        sort: readonly (string)[];
      };
      'query-type': 'workspaces' | 'tf_versions' | 'providers' | 'modules' | 'resource_types';
    };
    links?: Readonly<Record<string, string>>;
  };
  jobs: {
    id: string;
    type: 'jobs';
    attributes: {
      phase: 'plan' | 'plan-with-actions' | 'apply';
      'run-id': string;
      token: string;
      'run-token': string | null;
      'server-address': string | null;
      organization: string;
      project: string;
      workspace: {
        id: string;
        name: string;
        'working-directory': string;
      };
      commit: {
        branch: string;
        sha: string;
        tag: string;
      } | null;
      engine: {
        kind: 'opentofu' | 'terraform';
        version: string | null;
        newest: string;
        constraint?: string;
      };
      log: 'structured' | 'plain';
      parameters: {
        destroy: boolean;
        refresh: boolean;
        'refresh-only': boolean;
        targets: readonly (string)[];
        replaces: readonly (string)[];
        invokes?: readonly (string)[];
        'generate-configuration': boolean;
        debugging: boolean;
      };
      variables: readonly ({
        key: string;
        value: string;
        category: 'terraform' | 'env';
        hcl: boolean;
        sensitive: boolean;
      })[];
      'ssh-key': string | null;
      identity: {
        problem: string | null;
        environment: Readonly<Record<string, string>>;
        files: readonly ({
          name: string;
          content: string;
        })[];
        logins: readonly ({
          address: string;
          namespace: string;
          path: string;
          role: string;
          token: string;
          authorities: string | null;
          file: string | null;
          variable: string | null;
        })[];
        secrets: readonly (string)[];
      } | null;
      'keep-folder': boolean;
      timeout: number;
      traceparent?: string;
    };
    links?: Readonly<Record<string, string>>;
  };
  'job-standings': {
    id: string;
    type: 'jobs';
    attributes: {
      'log-bytes': number;
      cancel: 'none' | 'interrupt' | 'kill';
      interval: number;
    };
    links?: Readonly<Record<string, string>>;
  };
  'forwarded-requests': {
    id: string;
    type: 'forwarded-requests';
    attributes: {
      method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
      url: string;
      headers: Readonly<Record<string, string>>;
      body: string | null;
      authorities: readonly (string)[];
      'max-bytes': number;
      'timeout-ms': number;
    };
    links?: Readonly<Record<string, string>>;
  };
  'notification-configurations': {
    id: string;
    type: 'notification-configurations';
    attributes: {
      'created-at': string;
      'delivery-responses': readonly ({
        body: string;
        code: string;
        headers: Readonly<Record<string, readonly (string)[]>>;
        'sent-at': string;
        successful: 'true' | 'false';
        url: string;
      })[];
      'destination-type': 'generic' | 'slack' | 'microsoft-teams' | 'email';
      digest: {
        hour: number;
        'time-zone': string;
        'waiting-hours': number;
      } | null;
      'digest-at': string | null;
      'email-addresses': readonly (string)[];
      enabled: boolean;
      name: string;
      notice: string | null;
      token: null;
      triggers: readonly ('run:created' | 'run:planning' | 'run:needs_attention' | 'run:applying' | 'run:completed' | 'run:errored' | 'assessment:drifted' | 'assessment:failed' | 'assessment:check_failure' | 'workspace:auto_destroy_reminder' | 'workspace:auto_destroy_run_results' | 'change_request:created' | 'team:change_request')[];
      'updated-at': string;
      url: string | null;
    };
    relationships: {
      subscribable: {
        data: {
          type: 'workspaces' | 'projects' | 'teams' | 'organizations';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      users: {
        data: readonly ({
          type: 'users';
          id: string;
        })[];
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'configuration-versions': {
    id: string;
    type: 'configuration-versions';
    attributes: {
      'auto-queue-runs': boolean;
      'created-at': string;
      error: string | null;
      'error-message': string | null;
      provisional: boolean;
      size: number;
      source: string;
      speculative: boolean;
      status: 'pending' | 'fetching' | 'uploaded' | 'archived' | 'errored';
      'status-timestamps': Readonly<Record<string, string>>;
      'upload-url': string | null;
    };
    relationships: {
      'ingress-attributes': {
        data: {
          type: 'ingress-attributes';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      run?: {
        data: {
          type: 'runs';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'ingress-attributes': {
    id: string;
    type: 'ingress-attributes';
    attributes: {
      branch: string | null;
      'clone-url': string;
      'commit-message': string;
      'commit-sha': string;
      'commit-url': string | null;
      'compare-url': string | null;
      identifier: string;
      'is-pull-request': boolean;
      'on-default-branch': boolean;
      'pull-request-body': string | null;
      'pull-request-number': number | null;
      'pull-request-title': string | null;
      'pull-request-url': string | null;
      'sender-avatar-url': string | null;
      'sender-html-url': string | null;
      'sender-username': string | null;
      tag: string | null;
    };
    relationships: {
      'created-by': {
        data: {
          type: 'users';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'approval-rules': {
    id: string;
    type: 'approval-rules';
    attributes: {
      'created-at': string;
      name: string;
      operations: 'all' | 'destroy';
      'requester-may-approve': boolean;
      'required-approvals': number;
      teams: readonly ({
        id: string;
        name: string | null;
        exists: boolean;
      })[];
      'updated-at': string;
      warning: string | null;
    };
    relationships: {
      project: {
        data: {
          type: 'projects';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      teams: {
        data: readonly ({
          type: 'teams';
          id: string;
        })[];
        links?: {
          related: string;
        };
      };
      workspace: {
        data: {
          type: 'workspaces';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'run-approvals': {
    id: string;
    type: 'run-approvals';
    attributes: {
      comment: string | null;
      counts: boolean | null;
      'counts-not-because': string | null;
      'created-at': string;
      'user-name': string;
    };
    relationships: {
      run: {
        data: {
          type: 'runs';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      user: {
        data: {
          type: 'users';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'run-triggers': {
    id: string;
    type: 'run-triggers';
    attributes: {
      'created-at': string;
      'sourceable-name': string;
      'workspace-name': string;
    };
    relationships: {
      sourceable: {
        data: {
          type: 'workspaces';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      workspace: {
        data: {
          type: 'workspaces';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'workspace-readme': {
    id: string;
    type: 'workspace-readme';
    attributes: {
      'raw-markdown': string;
    };
    links?: Readonly<Record<string, string>>;
  };
  tasks: {
    id: string;
    type: 'tasks';
    attributes: {
      category: 'task';
      description: string;
      enabled: boolean;
      'global-configuration': {
        enabled: boolean;
        stages: readonly ('pre_plan' | 'post_plan' | 'pre_apply' | 'post_apply')[];
        'enforcement-level': 'advisory' | 'mandatory';
      };
      'hmac-key': null;
      name: string;
      url: string;
    };
    relationships: {
      'agent-pool': {
        data: {
          type: 'agent-pools';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      organization: {
        data: {
          type: 'organizations';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      'workspace-tasks'?: {
        data: readonly ({
          type: 'workspace-tasks';
          id: string;
        })[];
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'workspace-tasks': {
    id: string;
    type: 'workspace-tasks';
    attributes: {
      'enforcement-level': 'advisory' | 'mandatory';
      stage: 'pre_plan' | 'post_plan' | 'pre_apply' | 'post_apply';
      stages: readonly ('pre_plan' | 'post_plan' | 'pre_apply' | 'post_apply')[];
    };
    relationships: {
      task: {
        data: {
          type: 'tasks';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      workspace: {
        data: {
          type: 'workspaces';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'task-stages': {
    id: string;
    type: 'task-stages';
    attributes: {
      actions: {
        'is-overridable': boolean;
      };
      'created-at': string;
      permissions: {
        'can-override': boolean;
        'can-override-policy': boolean;
        'can-override-tasks': boolean;
      };
      stage: 'pre_plan' | 'post_plan' | 'pre_apply' | 'post_apply';
      status: 'pending' | 'running' | 'passed' | 'failed' | 'awaiting_override' | 'canceled' | 'errored' | 'unreachable';
      'status-timestamps': Readonly<Record<string, string>>;
      'updated-at': string;
    };
    relationships: {
      'policy-evaluations': {
        data: readonly ({
          type: 'policy-evaluations';
          id: string;
        })[];
        links?: {
          related: string;
        };
      };
      run: {
        data: {
          type: 'runs';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      'task-results': {
        data: readonly ({
          type: 'task-results';
          id: string;
        })[];
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'task-results': {
    id: string;
    type: 'task-results';
    attributes: {
      'agent-pool-id': null;
      'created-at': string;
      status: 'pending' | 'running' | 'passed' | 'failed' | 'errored' | 'unreachable';
      message: string;
      'status-timestamps': Readonly<Record<string, string>>;
      'task-id': string;
      'task-name': string;
      'task-url': string;
      'updated-at': string;
      url: string;
      'workspace-task-enforcement-level': 'advisory' | 'mandatory';
      'workspace-task-id': string | null;
    };
    relationships: {
      outcomes: {
        links: {
          related: string;
        };
      };
      'task-stage': {
        data: {
          type: 'task-stages';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      task_stage: {
        data: {
          type: 'task-stages';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'task-result-outcomes': {
    id: string;
    type: 'task-result-outcomes';
    attributes: {
      'outcome-id': string;
      description: string;
      body: string;
      url: string;
      tags: Readonly<Record<string, readonly ({
        label: string;
        level?: string | null;
      })[]>>;
    };
    links?: Readonly<Record<string, string>>;
  };
  'agent-pools': {
    id: string;
    type: 'agent-pools';
    attributes: {
      name: string;
      'created-at': string;
      'organization-scoped': boolean;
      'agent-count': number;
    };
    relationships: {
      organization: {
        data: {
          type: 'organizations';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      agents: {
        links: {
          related: string;
        };
      };
      'authentication-tokens': {
        links: {
          related: string;
        };
      };
      workspaces: {
        data: readonly ({
          type: 'workspaces';
          id: string;
        })[];
        links?: {
          related: string;
        };
      };
      'allowed-workspaces': {
        data: readonly ({
          type: 'workspaces';
          id: string;
        })[];
        links?: {
          related: string;
        };
      };
      'excluded-workspaces': {
        data: readonly ({
          type: 'workspaces';
          id: string;
        })[];
        links?: {
          related: string;
        };
      };
      'allowed-projects': {
        data: readonly ({
          type: 'projects';
          id: string;
        })[];
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  agents: {
    id: string;
    type: 'agents';
    attributes: {
      name: string;
      status: 'idle' | 'busy' | 'exited' | 'errored' | 'unknown';
      'ip-address': string;
      engines: readonly (string)[];
      'any-engine': boolean;
      'last-ping-at': string;
      'created-at': string;
    };
    relationships: {
      'agent-pool': {
        data: {
          type: 'agent-pools';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      run: {
        data: {
          type: 'runs';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'assessment-results': {
    id: string;
    type: 'assessment-results';
    attributes: {
      drifted: boolean;
      succeeded: boolean;
      'error-msg': string | null;
      'error-message': string | null;
      'all-checks-succeeded': boolean;
      'resources-drifted': number | null;
      'resources-undrifted': number | null;
      'checks-passed': number | null;
      'checks-failed': number | null;
      'checks-errored': number | null;
      'checks-unknown': number | null;
      'created-at': string;
    };
    relationships: {
      workspace: {
        data: {
          type: 'workspaces';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  schedules: {
    id: string;
    type: 'schedules';
    attributes: {
      name: string;
      operation: 'plan' | 'apply' | 'refresh' | 'drift';
      cron: string;
      'time-zone': string;
      jitter: number;
      delay: number | null;
      'when-busy': 'skip' | 'queue';
      paused: boolean;
      inherited: boolean;
      excluded: boolean;
      'next-times': readonly (string)[];
      'last-time': string | null;
      'waiting-count': number;
      'last-outcome': {
        status: 'started' | 'skipped' | 'refused';
        reason: string | null;
        'run-status': 'pending' | 'fetching' | 'fetching_completed' | 'pre_plan_running' | 'pre_plan_awaiting_decision' | 'pre_plan_completed' | 'queuing' | 'plan_queued' | 'planning' | 'planned' | 'cost_estimating' | 'cost_estimated' | 'policy_checking' | 'policy_override' | 'policy_soft_failed' | 'policy_checked' | 'tf_policy_override' | 'tf_policy_checked' | 'post_plan_running' | 'post_plan_awaiting_decision' | 'post_plan_completed' | 'planned_and_saved' | 'confirmed' | 'pre_apply_running' | 'pre_apply_completed' | 'queuing_apply' | 'apply_queued' | 'applying' | 'post_apply_running' | 'post_apply_completed' | 'assessing' | 'assessed' | 'applied' | 'planned_and_finished' | 'discarded' | 'errored' | 'canceled' | 'force_canceled' | null;
        'scheduled-at': string;
        'created-at': string;
      } | null;
      'created-at': string;
    };
    relationships: {
      workspace: {
        data: {
          type: 'workspaces';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      project: {
        data: {
          type: 'projects';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      'last-run': {
        data: {
          type: 'runs';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'schedule-outcomes': {
    id: string;
    type: 'schedule-outcomes';
    attributes: {
      status: 'started' | 'skipped' | 'refused';
      reason: string | null;
      'run-status': 'pending' | 'fetching' | 'fetching_completed' | 'pre_plan_running' | 'pre_plan_awaiting_decision' | 'pre_plan_completed' | 'queuing' | 'plan_queued' | 'planning' | 'planned' | 'cost_estimating' | 'cost_estimated' | 'policy_checking' | 'policy_override' | 'policy_soft_failed' | 'policy_checked' | 'tf_policy_override' | 'tf_policy_checked' | 'post_plan_running' | 'post_plan_awaiting_decision' | 'post_plan_completed' | 'planned_and_saved' | 'confirmed' | 'pre_apply_running' | 'pre_apply_completed' | 'queuing_apply' | 'apply_queued' | 'applying' | 'post_apply_running' | 'post_apply_completed' | 'assessing' | 'assessed' | 'applied' | 'planned_and_finished' | 'discarded' | 'errored' | 'canceled' | 'force_canceled' | null;
      'scheduled-at': string;
      'created-at': string;
      'workspace-name': string;
    };
    relationships: {
      schedule: {
        data: {
          type: 'schedules';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      workspace: {
        data: {
          type: 'workspaces';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
      run: {
        data: {
          type: 'runs';
          id: string;
        } | null;
        links?: {
          related: string;
        };
      };
    };
    links?: Readonly<Record<string, string>>;
  };
  'schedule-previews': {
    type: 'schedule-previews';
    attributes: {
      cron: string;
      'time-zone': string;
      'next-times': readonly (string)[];
    };
  };
}

export interface Operations {
  'GET /account/details': {
    answer: {
      data: Schemas['users'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'PATCH /account/update': {
    body: {
      data: {
        type?: 'users';
        attributes?: {
          username?: string | null;
          email?: string | null;
        };
        relationships?: Readonly<Record<string, unknown>>;
      };
    };
    answer: {
      data: Schemas['users'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /admin/opa-versions': {
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      'filter[version]'?: string;
      'search[version]'?: string;
    };
    answer: {
      data: readonly (Schemas['opa-versions'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'POST /admin/opa-versions': {
    answer: void;
  };
  'GET /admin/opa-versions/{tool_version_id}': {
    path: {
      tool_version_id: string;
    };
    answer: {
      data: Schemas['opa-versions'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'PATCH /admin/opa-versions/{tool_version_id}': {
    path: {
      tool_version_id: string;
    };
    answer: void;
  };
  'DELETE /admin/opa-versions/{tool_version_id}': {
    path: {
      tool_version_id: string;
    };
    answer: void;
  };
  'GET /admin/scim-groups': {
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      q?: string;
    };
    answer: {
      data: readonly (Schemas['scim-groups'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'GET /admin/scim-settings': {
    answer: {
      data: Schemas['scim-settings'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'PATCH /admin/scim-settings': {
    body: {
      data: {
        type?: 'scim-settings';
        attributes: {
          enabled?: boolean;
          paused?: boolean;
          'site-admin-group-scim-id'?: string | null;
        };
        relationships?: Readonly<Record<string, unknown>>;
      };
    };
    answer: {
      data: Schemas['scim-settings'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'DELETE /admin/scim-settings': {
    answer: void;
  };
  'GET /admin/scim-tokens': {
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['authentication-tokens'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'POST /admin/scim-tokens': {
    body: {
      data?: {
        type?: unknown;
        attributes?: {
          description?: string | null;
          'expired-at'?: string | null;
        };
      };
    } | null;
    answer: {
      data: Schemas['authentication-tokens'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /admin/scim-tokens/{token_id}': {
    path: {
      token_id: string;
    };
    answer: {
      data: Schemas['authentication-tokens'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /admin/sentinel-versions': {
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      'filter[version]'?: string;
      'search[version]'?: string;
    };
    answer: {
      data: readonly (Schemas['sentinel-versions'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'POST /admin/sentinel-versions': {
    answer: void;
  };
  'GET /admin/sentinel-versions/{tool_version_id}': {
    path: {
      tool_version_id: string;
    };
    answer: {
      data: Schemas['sentinel-versions'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'PATCH /admin/sentinel-versions/{tool_version_id}': {
    path: {
      tool_version_id: string;
    };
    answer: void;
  };
  'DELETE /admin/sentinel-versions/{tool_version_id}': {
    path: {
      tool_version_id: string;
    };
    answer: void;
  };
  'POST /admin/teams/{team_id}/scim-group-mapping': {
    path: {
      team_id: string;
    };
    body: {
      data: {
        type?: 'scim-group-mappings';
        attributes: {
          'scim-group-id': string;
        };
        relationships?: Readonly<Record<string, unknown>>;
      };
    };
    answer: void;
  };
  'PATCH /admin/teams/{team_id}/scim-group-mapping': {
    path: {
      team_id: string;
    };
    body: {
      data: {
        type?: 'scim-group-mappings';
        attributes: {
          'scim-sync-paused': boolean;
        };
        relationships?: Readonly<Record<string, unknown>>;
      };
    };
    answer: void;
  };
  'DELETE /admin/teams/{team_id}/scim-group-mapping': {
    path: {
      team_id: string;
    };
    answer: void;
  };
  'GET /admin/terraform-versions': {
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      'filter[version]'?: string;
      'search[version]'?: string;
    };
    answer: {
      data: readonly (Schemas['terraform-versions'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'POST /admin/terraform-versions': {
    answer: void;
  };
  'GET /admin/terraform-versions/{tool_version_id}': {
    path: {
      tool_version_id: string;
    };
    answer: {
      data: Schemas['terraform-versions'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'PATCH /admin/terraform-versions/{tool_version_id}': {
    path: {
      tool_version_id: string;
    };
    answer: void;
  };
  'DELETE /admin/terraform-versions/{tool_version_id}': {
    path: {
      tool_version_id: string;
    };
    answer: void;
  };
  'GET /admin/users': {
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      q?: string;
      'filter[admin]'?: 'true' | 'false';
      'filter[suspended]'?: 'true' | 'false';
    };
    answer: {
      data: readonly (Schemas['users'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'POST /admin/users': {
    body: {
      data: {
        type?: 'users';
        attributes: {
          username: string;
          email: string;
          'is-admin'?: boolean;
        };
        relationships?: Readonly<Record<string, unknown>>;
      };
    };
    answer: {
      data: Schemas['users'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /admin/users/{user_id}': {
    path: {
      user_id: string;
    };
    answer: {
      data: Schemas['users'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'POST /admin/users/{user_id}/actions/grant_admin': {
    path: {
      user_id: string;
    };
    answer: {
      data: Schemas['users'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'POST /admin/users/{user_id}/actions/revoke_admin': {
    path: {
      user_id: string;
    };
    answer: {
      data: Schemas['users'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'POST /admin/users/{user_id}/actions/suspend': {
    path: {
      user_id: string;
    };
    answer: {
      data: Schemas['users'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'POST /admin/users/{user_id}/actions/unsuspend': {
    path: {
      user_id: string;
    };
    answer: {
      data: Schemas['users'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'POST /admin/users/{user_id}/authentication-tokens': {
    path: {
      user_id: string;
    };
    body: {
      data?: {
        type?: unknown;
        attributes?: {
          description?: string | null;
          'expired-at'?: string | null;
        };
      };
    } | null;
    answer: {
      data: Schemas['authentication-tokens'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /agent-pools/{agent_pool_id}': {
    path: {
      agent_pool_id: string;
    };
    query: {
      include?: string;
    };
    answer: {
      data: Schemas['agent-pools'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'PATCH /agent-pools/{agent_pool_id}': {
    path: {
      agent_pool_id: string;
    };
    body: {
      data: {
        type?: 'agent-pools';
        attributes?: {
          name?: string;
          'organization-scoped'?: boolean | null;
        };
        relationships?: {
          'allowed-workspaces'?: {
            data: readonly ({
              id: string;
            })[];
          };
          'excluded-workspaces'?: {
            data: readonly ({
              id: string;
            })[];
          };
          'allowed-projects'?: {
            data: readonly ({
              id: string;
            })[];
          };
        };
      };
    };
    answer: {
      data: Schemas['agent-pools'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'DELETE /agent-pools/{agent_pool_id}': {
    path: {
      agent_pool_id: string;
    };
    answer: void;
  };
  'GET /agent-pools/{agent_pool_id}/agents': {
    path: {
      agent_pool_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      'filter[last-ping-since]'?: string;
      sort?: 'created-at' | '-created-at';
    };
    answer: {
      data: readonly (Schemas['agents'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'POST /agent-pools/{agent_pool_id}/agents': {
    path: {
      agent_pool_id: string;
    };
    body: {
      data: {
        type?: 'agents';
        attributes: {
          name: string;
          engines?: readonly (string)[];
          'any-engine'?: boolean;
        };
        relationships?: Readonly<Record<string, unknown>>;
      };
    };
    answer: {
      data: Schemas['agents'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /agent-pools/{agent_pool_id}/authentication-tokens': {
    path: {
      agent_pool_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['authentication-tokens'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'POST /agent-pools/{agent_pool_id}/authentication-tokens': {
    path: {
      agent_pool_id: string;
    };
    body: {
      data: {
        type?: unknown;
        attributes: {
          description: string;
          'expired-at'?: string | null;
        };
      };
    };
    answer: {
      data: Schemas['authentication-tokens'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /agent-pools/{agent_pool_id}/machine-identities': {
    path: {
      agent_pool_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['machine-identities'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'POST /agent-pools/{agent_pool_id}/machine-identities': {
    path: {
      agent_pool_id: string;
    };
    body: {
      data: {
        type?: 'machine-identities';
        attributes: {
          mount: string;
          role: string;
          'common-name'?: string | null;
        };
        relationships?: Readonly<Record<string, unknown>>;
      };
    };
    answer: {
      data: Schemas['machine-identities'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /agent-pools/{agent_pool_id}/runs': {
    path: {
      agent_pool_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      include?: string;
    };
    answer: {
      data: readonly (Schemas['runs'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'POST /agents': {
    body: {
      data: {
        type?: 'agents';
        attributes: {
          name: string;
          engines?: readonly (string)[];
          'any-engine'?: boolean;
        };
        relationships?: Readonly<Record<string, unknown>>;
      };
    };
    answer: {
      data: Schemas['agents'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /agents/{agent_id}': {
    path: {
      agent_id: string;
    };
    answer: {
      data: Schemas['agents'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'PATCH /agents/{agent_id}': {
    path: {
      agent_id: string;
    };
    body: {
      data: {
        type?: 'agents';
        attributes: {
          status: 'idle' | 'busy' | 'exited' | 'errored';
        };
        relationships?: Readonly<Record<string, unknown>>;
      };
    };
    answer: {
      data: Schemas['agents'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'DELETE /agents/{agent_id}': {
    path: {
      agent_id: string;
    };
    answer: void;
  };
  'POST /agents/{agent_id}/actions/claim': {
    path: {
      agent_id: string;
    };
    query: {
      wait?: string;
    };
    answer: {
      data: Schemas['jobs'];
      included?: readonly (Schemas['Resource'])[];
    } | void;
  };
  'POST /agents/{agent_id}/actions/claim-forwarded-request': {
    path: {
      agent_id: string;
    };
    query: {
      wait?: string;
    };
    answer: {
      data: Schemas['forwarded-requests'];
      included?: readonly (Schemas['Resource'])[];
    } | void;
  };
  'POST /agents/{agent_id}/forwarded-requests/{request_id}/actions/respond': {
    path: {
      agent_id: string;
      request_id: string;
    };
    body: {
      data: {
        type?: 'forwarded-responses';
        attributes: {
          part: number;
          status?: number;
          headers?: Readonly<Record<string, string>>;
          content?: string;
          last?: boolean;
          failure?: 'denied' | 'timeout' | 'network' | 'redirect' | 'status' | 'too-large' | 'encoding';
        };
        relationships?: Readonly<Record<string, unknown>>;
      };
    };
    answer: void;
  };
  'GET /applies/{id}': {
    path: {
      id: string;
    };
    answer: {
      data: Schemas['applies'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'POST /applies/{id}/actions/append-log': {
    path: {
      id: string;
    };
    body: {
      data: {
        type?: unknown;
        attributes: {
          offset: number;
          content: string;
        };
      };
    };
    answer: {
      data: Schemas['applies'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /applies/{id}/errored-state': {
    path: {
      id: string;
    };
    answer: unknown | void;
  };
  'PUT /applies/{id}/errored-state': {
    path: {
      id: string;
    };
    answer: void;
  };
  'GET /approval-rules/{approval_rule_id}': {
    path: {
      approval_rule_id: string;
    };
    answer: {
      data: Schemas['approval-rules'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'PATCH /approval-rules/{approval_rule_id}': {
    path: {
      approval_rule_id: string;
    };
    body: {
      data: {
        type?: 'approval-rules';
        attributes?: {
          name?: string;
          operations?: 'all' | 'destroy';
          'requester-may-approve'?: boolean;
          'required-approvals'?: number;
        };
        relationships?: {
          teams?: {
            data: readonly ({
              type?: 'teams';
              id: string;
            })[];
          };
        };
      };
    };
    answer: {
      data: Schemas['approval-rules'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'DELETE /approval-rules/{approval_rule_id}': {
    path: {
      approval_rule_id: string;
    };
    answer: void;
  };
  'GET /assessment-results/{assessment_result_id}': {
    path: {
      assessment_result_id: string;
    };
    answer: {
      data: Schemas['assessment-results'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /assessment-results/{assessment_result_id}/json-output': {
    path: {
      assessment_result_id: string;
    };
    answer: unknown | void;
  };
  'GET /assessment-results/{assessment_result_id}/json-schema': {
    path: {
      assessment_result_id: string;
    };
    answer: unknown | void;
  };
  'GET /assessment-results/{assessment_result_id}/log-output': {
    path: {
      assessment_result_id: string;
    };
    answer: Blob | void;
  };
  'GET /authentication-tokens/{token_id}': {
    path: {
      token_id: string;
    };
    answer: {
      data: Schemas['authentication-tokens'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'DELETE /authentication-tokens/{token_id}': {
    path: {
      token_id: string;
    };
    answer: void;
  };
  'GET /comments/{id}': {
    path: {
      id: string;
    };
    answer: {
      data: Schemas['comments'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'PUT /configuration-uploads/{link}': {
    path: {
      link: string;
    };
    answer: void;
  };
  'GET /configuration-versions/{id}': {
    path: {
      id: string;
    };
    query: {
      include?: string;
    };
    answer: {
      data: Schemas['configuration-versions'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'POST /configuration-versions/{id}/actions/archive': {
    path: {
      id: string;
    };
    answer: void;
  };
  'POST /configuration-versions/{id}/actions/permanently_delete_backing_data': {
    path: {
      id: string;
    };
    answer: void;
  };
  'POST /configuration-versions/{id}/actions/restore_backing_data': {
    path: {
      id: string;
    };
    answer: void;
  };
  'POST /configuration-versions/{id}/actions/soft_delete_backing_data': {
    path: {
      id: string;
    };
    answer: void;
  };
  'GET /configuration-versions/{id}/download': {
    path: {
      id: string;
    };
    answer: Blob;
  };
  'GET /configuration-versions/{id}/ingress-attributes': {
    path: {
      id: string;
    };
    answer: {
      data: Schemas['ingress-attributes'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /events': {
    query: {
      seconds?: string;
    };
    answer: Blob;
  };
  'GET /github-app-installations': {
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      'filter[installation_id]'?: string;
      'filter[name]'?: string;
    };
    answer: {
      data: readonly (Schemas['github-app-installations'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'POST /github-app-installations/{github_app_installation_id}/actions/check': {
    path: {
      github_app_installation_id: string;
    };
    answer: {
      data: Schemas['github-app-installations'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /github-app-installations/{github_app_installation_id}/repos': {
    path: {
      github_app_installation_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      organization?: string;
      'search[name]'?: string;
    };
    answer: {
      data: readonly (Schemas['github-app-repos'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'GET /github-app-installations/{github_app_installation_id}/vcs-repositories': {
    path: {
      github_app_installation_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['vcs-repositories'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'GET /github-app/installation/{github_app_installation_id}': {
    path: {
      github_app_installation_id: string;
    };
    answer: {
      data: Schemas['github-app-installations'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /github-app/installations': {
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      'filter[installation_id]'?: string;
      'filter[name]'?: string;
    };
    answer: {
      data: readonly (Schemas['github-app-installations'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'GET /ingress-attributes/{id}': {
    path: {
      id: string;
    };
    answer: {
      data: Schemas['ingress-attributes'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'POST /invitation-links/actions/accept': {
    body: {
      data: {
        type?: 'invitation-links';
        attributes: {
          secret: string;
        };
        relationships?: Readonly<Record<string, unknown>>;
      };
    };
    answer: void;
  };
  'POST /invitation-links/actions/decline': {
    body: {
      data: {
        type?: 'invitation-links';
        attributes: {
          secret: string;
        };
        relationships?: Readonly<Record<string, unknown>>;
      };
    };
    answer: void;
  };
  'GET /jobs/{job_id}': {
    path: {
      job_id: string;
    };
    answer: {
      data: Schemas['jobs'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'POST /jobs/{job_id}/actions/finish': {
    path: {
      job_id: string;
    };
    body: {
      data: {
        type?: 'jobs';
        attributes: {
          outcome: 'finished' | 'canceled' | 'failed';
          exit?: number;
          'has-changes'?: boolean | null;
          engine?: {
            kind: 'opentofu' | 'terraform';
            version: string;
          };
          'resource-additions'?: number;
          'resource-changes'?: number;
          'resource-destructions'?: number;
          'resource-imports'?: number;
          'resources-drifted'?: number;
          'resources-undrifted'?: number;
          'checks-passed'?: number;
          'checks-failed'?: number;
          'checks-errored'?: number;
          'checks-unknown'?: number;
          providers?: readonly ({
            source: string;
            version: string;
          })[];
          modules?: readonly ({
            key: string;
            source: string;
            version: string | null;
          })[];
          reason?: string | null;
          took?: number;
          steps?: readonly ({
            name: string;
            start: number;
            end: number;
            ok: boolean;
          })[];
        };
        relationships?: Readonly<Record<string, unknown>>;
      };
    };
    answer: void;
  };
  'POST /jobs/{job_id}/actions/heartbeat': {
    path: {
      job_id: string;
    };
    answer: {
      data: Schemas['job-standings'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'POST /jobs/{job_id}/actions/start': {
    path: {
      job_id: string;
    };
    answer: void;
  };
  'PATCH /jobs/{job_id}/log': {
    path: {
      job_id: string;
    };
    query: {
      offset: string;
    };
    answer: {
      data: Schemas['job-standings'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /machine-identities': {
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      'filter[mount]'?: string;
      'filter[role]'?: string;
      'filter[common-name]'?: string;
    };
    answer: {
      data: readonly (Schemas['machine-identities'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'GET /machine-identities/{machine_identity_id}': {
    path: {
      machine_identity_id: string;
    };
    answer: {
      data: Schemas['machine-identities'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'DELETE /machine-identities/{machine_identity_id}': {
    path: {
      machine_identity_id: string;
    };
    answer: void;
  };
  'GET /notification-configurations/{notification_configuration_id}': {
    path: {
      notification_configuration_id: string;
    };
    answer: {
      data: Schemas['notification-configurations'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'PATCH /notification-configurations/{notification_configuration_id}': {
    path: {
      notification_configuration_id: string;
    };
    body: {
      data: {
        type?: 'notification-configurations';
        attributes?: {
          'destination-type'?: string | null;
          digest?: {
            hour?: number;
            'time-zone'?: string;
            'waiting-hours'?: number;
          } | null;
          'email-addresses'?: readonly (string)[] | null;
          enabled?: boolean | null;
          name?: string | null;
          token?: string | null;
          triggers?: readonly (string)[] | null;
          url?: string | null;
        };
        relationships?: {
          users?: {
            data: readonly ({
              id: string;
            })[] | null;
          };
        };
      };
    };
    answer: {
      data: Schemas['notification-configurations'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'DELETE /notification-configurations/{notification_configuration_id}': {
    path: {
      notification_configuration_id: string;
    };
    answer: void;
  };
  'POST /notification-configurations/{notification_configuration_id}/actions/verify': {
    path: {
      notification_configuration_id: string;
    };
    answer: {
      data: Schemas['notification-configurations'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /oauth-clients/{oauth_client_id}': {
    path: {
      oauth_client_id: string;
    };
    query: {
      include?: string;
    };
    answer: {
      data: Schemas['oauth-clients'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'PATCH /oauth-clients/{oauth_client_id}': {
    path: {
      oauth_client_id: string;
    };
    body: {
      data: {
        type?: 'oauth-clients';
        attributes?: {
          name?: string | null;
          'api-url'?: string | null;
          'http-url'?: string | null;
          key?: string | null;
          'ado-entra-tenant-id'?: string | null;
          'rsa-public-key'?: string | null;
          secret?: string | null;
          'private-key'?: string | null;
          'oauth-token-string'?: string | null;
          'organization-scoped'?: boolean | null;
          'allowed-repositories'?: readonly (string)[] | null;
        };
        relationships?: {
          'agent-pool'?: {
            data: {
              id: string;
            } | null;
          };
        };
      };
    };
    answer: {
      data: Schemas['oauth-clients'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'DELETE /oauth-clients/{oauth_client_id}': {
    path: {
      oauth_client_id: string;
    };
    answer: void;
  };
  'POST /oauth-clients/{oauth_client_id}/actions/check': {
    path: {
      oauth_client_id: string;
    };
    answer: {
      data: Schemas['oauth-clients'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /oauth-clients/{oauth_client_id}/oauth-tokens': {
    path: {
      oauth_client_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['oauth-tokens'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'POST /oauth-clients/{oauth_client_id}/relationships/projects': {
    path: {
      oauth_client_id: string;
    };
    body: {
      data: readonly ({
        type?: 'projects';
        id: string;
      })[];
    };
    answer: void;
  };
  'DELETE /oauth-clients/{oauth_client_id}/relationships/projects': {
    path: {
      oauth_client_id: string;
    };
    body: {
      data: readonly ({
        type?: 'projects';
        id: string;
      })[];
    };
    answer: void;
  };
  'GET /oauth-clients/{oauth_client_id}/vcs-repositories': {
    path: {
      oauth_client_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['vcs-repositories'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'GET /oauth-tokens/{oauth_token_id}': {
    path: {
      oauth_token_id: string;
    };
    answer: {
      data: Schemas['oauth-tokens'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'PATCH /oauth-tokens/{oauth_token_id}': {
    path: {
      oauth_token_id: string;
    };
    body: {
      data: {
        type?: 'oauth-tokens';
        attributes?: {
          'ssh-key'?: string | null;
        };
        relationships?: Readonly<Record<string, unknown>>;
      };
    };
    answer: {
      data: Schemas['oauth-tokens'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'DELETE /oauth-tokens/{oauth_token_id}': {
    path: {
      oauth_token_id: string;
    };
    answer: void;
  };
  'GET /oauth-tokens/{oauth_token_id}/authorized-repos': {
    path: {
      oauth_token_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      organization?: string;
      'search[name]'?: string;
    };
    answer: {
      data: readonly (Schemas['authorized-repos'])[];
      included?: readonly (Schemas['Resource'])[];
      meta: {
        'next-page': number | null;
      };
    };
  };
  'GET /oauth-tokens/{oauth_token_id}/vcs-organizations': {
    path: {
      oauth_token_id: string;
    };
    answer: {
      data: readonly (Schemas['vcs-organization'])[];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /openapi.json': {
    answer: unknown;
  };
  'GET /organization-memberships': {
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      include?: string;
      'filter[status]'?: 'active' | 'invited';
    };
    answer: {
      data: readonly (Schemas['organization-memberships'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'GET /organization-memberships/{membership_id}': {
    path: {
      membership_id: string;
    };
    query: {
      include?: string;
    };
    answer: {
      data: Schemas['organization-memberships'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'DELETE /organization-memberships/{membership_id}': {
    path: {
      membership_id: string;
    };
    answer: void;
  };
  'POST /organization-memberships/{membership_id}/actions/accept': {
    path: {
      membership_id: string;
    };
    answer: void;
  };
  'POST /organization-memberships/{membership_id}/actions/create-link': {
    path: {
      membership_id: string;
    };
    answer: {
      data: Schemas['invitation-links'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'POST /organization-memberships/{membership_id}/actions/decline': {
    path: {
      membership_id: string;
    };
    answer: void;
  };
  'GET /organization/audit-trail': {
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      since?: string | string;
    };
    answer: {
      data: readonly ({
        id: string;
        version: '0';
        type: 'Resource';
        timestamp: string;
        auth: {
          accessor_id: string;
          description: string;
          type: 'Client' | 'System';
          impersonator_id: null;
          organization_id: string;
        };
        request: {
          id: string;
        };
        resource: {
          id: string;
          type: string;
          action: string;
          meta: Readonly<Record<string, unknown>> | null;
        };
      })[];
      pagination: {
        current_page: number;
        prev_page: number | null;
        next_page: number | null;
        total_pages: number;
        total_count: number;
      };
    };
  };
  'GET /organizations': {
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      q?: string;
      'q[name]'?: string;
      'q[email]'?: string;
    };
    answer: {
      data: readonly (Schemas['organizations'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'POST /organizations': {
    body: {
      data: {
        type?: 'organizations';
        attributes: {
          name: string;
          email: string;
          'aggregated-commit-status-enabled'?: boolean | null;
          'assessments-enforced'?: boolean | null;
          'cost-estimation-enabled'?: boolean | null;
          'enforce-hyok'?: boolean | null;
          'max-ttl-enabled'?: boolean | null;
          'plan-merge-result'?: boolean | null;
          'pull-request-comments'?: boolean | null;
          'registry-monorepo-support-enabled'?: boolean | null;
          'send-passing-statuses-for-untriggered-speculative-plans'?: boolean | null;
          'speculative-plan-management-enabled'?: boolean | null;
          'stacks-enabled'?: boolean | null;
          'collaborator-auth-policy'?: 'password' | 'two_factor_mandatory' | null;
          'fork-plans'?: 'never' | 'approved' | null;
          'owners-team-saml-role-id'?: string | null;
          'session-remember'?: number | null;
          'session-timeout'?: number | null;
          'allow-force-delete-workspaces'?: boolean | null;
          'default-engine'?: 'opentofu' | 'terraform' | null;
          'default-execution-mode'?: 'remote' | 'local' | 'agent' | null;
          'user-tokens-enabled'?: boolean | null;
        };
        relationships?: {
          'default-agent-pool'?: {
            data: {
              id: string;
            } | null;
          };
        };
      };
    };
    answer: {
      data: Schemas['organizations'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /organizations/{organization_name}': {
    path: {
      organization_name: string;
    };
    query: {
      include?: string;
    };
    answer: {
      data: Schemas['organizations'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'PATCH /organizations/{organization_name}': {
    path: {
      organization_name: string;
    };
    body: {
      data: {
        type?: 'organizations';
        attributes?: {
          name?: string;
          email?: string;
          'aggregated-commit-status-enabled'?: boolean | null;
          'assessments-enforced'?: boolean | null;
          'cost-estimation-enabled'?: boolean | null;
          'enforce-hyok'?: boolean | null;
          'max-ttl-enabled'?: boolean | null;
          'plan-merge-result'?: boolean | null;
          'pull-request-comments'?: boolean | null;
          'registry-monorepo-support-enabled'?: boolean | null;
          'send-passing-statuses-for-untriggered-speculative-plans'?: boolean | null;
          'speculative-plan-management-enabled'?: boolean | null;
          'stacks-enabled'?: boolean | null;
          'collaborator-auth-policy'?: 'password' | 'two_factor_mandatory' | null;
          'fork-plans'?: 'never' | 'approved' | null;
          'owners-team-saml-role-id'?: string | null;
          'session-remember'?: number | null;
          'session-timeout'?: number | null;
          'allow-force-delete-workspaces'?: boolean | null;
          'default-engine'?: 'opentofu' | 'terraform' | null;
          'default-execution-mode'?: 'remote' | 'local' | 'agent' | null;
          'user-tokens-enabled'?: boolean | null;
        };
        relationships?: {
          'default-agent-pool'?: {
            data: {
              id: string;
            } | null;
          };
        };
      };
    };
    answer: {
      data: Schemas['organizations'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'DELETE /organizations/{organization_name}': {
    path: {
      organization_name: string;
    };
    answer: void;
  };
  'GET /organizations/{organization_name}/access-explanation': {
    path: {
      organization_name: string;
    };
    query: {
      'filter[user][id]'?: string;
      'filter[user][username]'?: string;
      'filter[team][id]'?: string;
    };
    answer: {
      data: Schemas['access-explanations'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /organizations/{organization_name}/agent-pools': {
    path: {
      organization_name: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      include?: string;
      q?: string;
      'filter[allowed_workspaces][name]'?: string;
      'filter[allowed-workspaces][name]'?: string;
      'filter[allowed_projects][name]'?: string;
      sort?: 'name' | '-name' | 'created-at' | '-created-at';
    };
    answer: {
      data: readonly (Schemas['agent-pools'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'POST /organizations/{organization_name}/agent-pools': {
    path: {
      organization_name: string;
    };
    body: {
      data: {
        type?: 'agent-pools';
        attributes: {
          name: string;
          'organization-scoped'?: boolean | null;
        };
        relationships?: {
          'allowed-workspaces'?: {
            data: readonly ({
              id: string;
            })[];
          };
          'excluded-workspaces'?: {
            data: readonly ({
              id: string;
            })[];
          };
          'allowed-projects'?: {
            data: readonly ({
              id: string;
            })[];
          };
        };
      };
    };
    answer: {
      data: Schemas['agent-pools'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /organizations/{organization_name}/authentication-token': {
    path: {
      organization_name: string;
    };
    query: {
      token?: 'audit-trails' | 'organization';
    };
    answer: {
      data: Schemas['authentication-tokens'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'POST /organizations/{organization_name}/authentication-token': {
    path: {
      organization_name: string;
    };
    query: {
      token?: 'audit-trails' | 'organization';
    };
    body: {
      data?: {
        type?: unknown;
        attributes?: {
          description?: string | null;
          'expired-at'?: string | null;
        };
      };
    } | null;
    answer: {
      data: Schemas['authentication-tokens'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'DELETE /organizations/{organization_name}/authentication-token': {
    path: {
      organization_name: string;
    };
    query: {
      token?: 'audit-trails' | 'organization';
    };
    answer: void;
  };
  'GET /organizations/{organization_name}/authentication-tokens': {
    path: {
      organization_name: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      token?: 'audit-trails' | 'organization';
    };
    answer: {
      data: readonly (Schemas['authentication-tokens'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'GET /organizations/{organization_name}/capacity': {
    path: {
      organization_name: string;
    };
    answer: {
      data: Schemas['organization-capacity'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /organizations/{organization_name}/entitlement-set': {
    path: {
      organization_name: string;
    };
    answer: {
      data: Schemas['entitlement-sets'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /organizations/{organization_name}/explorer': {
    path: {
      organization_name: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      type: 'workspaces' | 'tf_versions' | 'providers' | 'modules' | 'resource_types';
      sort?: string;
      fields?: string;
    };
    answer: {
      data: readonly (Schemas['explorer-rows'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'GET /organizations/{organization_name}/explorer/export/csv': {
    path: {
      organization_name: string;
    };
    query: {
      type: 'workspaces' | 'tf_versions' | 'providers' | 'modules' | 'resource_types';
      sort?: string;
      fields?: string;
    };
    answer: Blob;
  };
  'GET /organizations/{organization_name}/explorer/views': {
    path: {
      organization_name: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['explorer-saved-queries'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'POST /organizations/{organization_name}/explorer/views': {
    path: {
      organization_name: string;
    };
    body: {
      data: {
        type?: 'explorer-saved-queries';
        name?: string;
        query?: {
          type?: string;
          filter?: readonly ({
            field?: string;
            operator?: string;
            value?: string | readonly (string)[];
          })[];
          fields?: readonly (string)[] | Readonly<Record<string, readonly (string)[]>>;
          sort?: string | readonly (string)[];
        };
        'query-type'?: 'workspaces' | 'tf_versions' | 'providers' | 'modules' | 'resource_types';
        query_type?: 'workspaces' | 'tf_versions' | 'providers' | 'modules' | 'resource_types';
        attributes?: {
          name?: string;
          query?: {
            type?: string;
            filter?: readonly ({
              field?: string;
              operator?: string;
              value?: string | readonly (string)[];
            })[];
            fields?: readonly (string)[] | Readonly<Record<string, readonly (string)[]>>;
            sort?: string | readonly (string)[];
          };
          'query-type'?: 'workspaces' | 'tf_versions' | 'providers' | 'modules' | 'resource_types';
          query_type?: 'workspaces' | 'tf_versions' | 'providers' | 'modules' | 'resource_types';
        };
      };
    };
    answer: {
      data: Schemas['explorer-saved-queries'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /organizations/{organization_name}/explorer/views/{view_id}': {
    path: {
      organization_name: string;
      view_id: string;
    };
    answer: {
      data: Schemas['explorer-saved-queries'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'PATCH /organizations/{organization_name}/explorer/views/{view_id}': {
    path: {
      organization_name: string;
      view_id: string;
    };
    body: {
      data: {
        type?: 'explorer-saved-queries';
        name?: string;
        query?: {
          type?: string;
          filter?: readonly ({
            field?: string;
            operator?: string;
            value?: string | readonly (string)[];
          })[];
          fields?: readonly (string)[] | Readonly<Record<string, readonly (string)[]>>;
          sort?: string | readonly (string)[];
        };
        'query-type'?: 'workspaces' | 'tf_versions' | 'providers' | 'modules' | 'resource_types';
        query_type?: 'workspaces' | 'tf_versions' | 'providers' | 'modules' | 'resource_types';
        attributes?: {
          name?: string;
          query?: {
            type?: string;
            filter?: readonly ({
              field?: string;
              operator?: string;
              value?: string | readonly (string)[];
            })[];
            fields?: readonly (string)[] | Readonly<Record<string, readonly (string)[]>>;
            sort?: string | readonly (string)[];
          };
          'query-type'?: 'workspaces' | 'tf_versions' | 'providers' | 'modules' | 'resource_types';
          query_type?: 'workspaces' | 'tf_versions' | 'providers' | 'modules' | 'resource_types';
        };
      };
    };
    answer: {
      data: Schemas['explorer-saved-queries'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'DELETE /organizations/{organization_name}/explorer/views/{view_id}': {
    path: {
      organization_name: string;
      view_id: string;
    };
    answer: {
      data: Schemas['explorer-saved-queries'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /organizations/{organization_name}/explorer/views/{view_id}/csv': {
    path: {
      organization_name: string;
      view_id: string;
    };
    answer: Blob;
  };
  'GET /organizations/{organization_name}/explorer/views/{view_id}/export/csv': {
    path: {
      organization_name: string;
      view_id: string;
    };
    answer: Blob;
  };
  'GET /organizations/{organization_name}/explorer/views/{view_id}/results': {
    path: {
      organization_name: string;
      view_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['explorer-rows'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'GET /organizations/{organization_name}/github-app': {
    path: {
      organization_name: string;
    };
    answer: {
      data: Schemas['github-apps'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'DELETE /organizations/{organization_name}/github-app': {
    path: {
      organization_name: string;
    };
    answer: void;
  };
  'GET /organizations/{organization_name}/github-app-installations': {
    path: {
      organization_name: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['github-app-installations'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'DELETE /organizations/{organization_name}/github-app-installations/{github_app_installation_id}': {
    path: {
      organization_name: string;
      github_app_installation_id: string;
    };
    answer: void;
  };
  'POST /organizations/{organization_name}/github-app-installations/{github_app_installation_id}/link-account': {
    path: {
      organization_name: string;
      github_app_installation_id: string;
    };
    answer: void;
  };
  'GET /organizations/{organization_name}/github-app-installations/{github_app_installation_id}/repos': {
    path: {
      organization_name: string;
      github_app_installation_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      organization?: string;
      'search[name]'?: string;
    };
    answer: {
      data: readonly (Schemas['github-app-repos'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'GET /organizations/{organization_name}/github-apps': {
    path: {
      organization_name: string;
    };
    answer: {
      data: readonly (Schemas['github-apps'])[];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /organizations/{organization_name}/notification-configurations': {
    path: {
      organization_name: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['notification-configurations'])[];
      included?: readonly (Schemas['Resource'])[];
      links?: Schemas['PageLinks'];
      meta?: Schemas['PageMeta'];
    };
  };
  'POST /organizations/{organization_name}/notification-configurations': {
    path: {
      organization_name: string;
    };
    body: {
      data: {
        type?: 'notification-configurations';
        attributes: {
          'destination-type'?: string | null;
          digest?: {
            hour?: number;
            'time-zone'?: string;
            'waiting-hours'?: number;
          } | null;
          'email-addresses'?: readonly (string)[] | null;
          enabled?: boolean | null;
          name?: string | null;
          token?: string | null;
          triggers?: readonly (string)[] | null;
          url?: string | null;
        };
        relationships?: {
          users?: {
            data: readonly ({
              id: string;
            })[] | null;
          };
        };
      };
    };
    answer: {
      data: Schemas['notification-configurations'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /organizations/{organization_name}/oauth-clients': {
    path: {
      organization_name: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      include?: string;
    };
    answer: {
      data: readonly (Schemas['oauth-clients'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'POST /organizations/{organization_name}/oauth-clients': {
    path: {
      organization_name: string;
    };
    body: {
      data: {
        type?: 'oauth-clients';
        attributes: {
          name?: string | null;
          'api-url': string;
          'http-url': string;
          key?: string | null;
          'ado-entra-tenant-id'?: string | null;
          'rsa-public-key'?: string | null;
          secret?: string | null;
          'private-key'?: string | null;
          'oauth-token-string'?: string | null;
          'credential-later'?: boolean | null;
          'service-provider': 'github' | 'github_enterprise' | 'gitlab_hosted' | 'gitlab_community_edition' | 'gitlab_enterprise_edition' | 'bitbucket_hosted' | 'bitbucket_server' | 'bitbucket_data_center' | 'ado_server' | 'ado_services' | 'gitea' | 'forgejo' | 'git';
          'organization-scoped'?: boolean | null;
          'allowed-repositories'?: readonly (string)[] | null;
        };
        relationships?: {
          'agent-pool'?: {
            data: {
              id: string;
            } | null;
          };
          projects?: {
            data: readonly ({
              type?: 'projects';
              id: string;
            })[];
          };
        };
      };
    };
    answer: {
      data: Schemas['oauth-clients'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /organizations/{organization_name}/oauth-tokens': {
    path: {
      organization_name: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['oauth-tokens'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'GET /organizations/{organization_name}/organization-memberships': {
    path: {
      organization_name: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      include?: string;
      'filter[status]'?: 'active' | 'invited';
      q?: string;
      'filter[email]'?: string;
    };
    answer: {
      data: readonly (Schemas['organization-memberships'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'POST /organizations/{organization_name}/organization-memberships': {
    path: {
      organization_name: string;
    };
    body: {
      data: {
        type?: 'organization-memberships';
        attributes: {
          email: string;
        };
        relationships?: {
          teams?: {
            data: readonly ({
              id: string;
            })[];
          };
        };
      };
    };
    answer: {
      data: Schemas['organization-memberships'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /organizations/{organization_name}/policies': {
    path: {
      organization_name: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      include?: string;
      sort?: string;
      'search[name]'?: string;
      'filter[kind]'?: string;
      'filter[versioned]'?: string;
    };
    answer: {
      data: readonly (unknown)[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'GET /organizations/{organization_name}/policy-sets': {
    path: {
      organization_name: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      include?: string;
      sort?: string;
      'search[name]'?: string;
      'filter[kind]'?: string;
      'filter[versioned]'?: string;
    };
    answer: {
      data: readonly (unknown)[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'GET /organizations/{organization_name}/projects': {
    path: {
      organization_name: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      'filter[tagged][0][key]'?: string;
      'filter[tagged][0][value]'?: string;
      include?: string;
      q?: string;
      sort?: 'name' | '-name';
      'filter[names]'?: string;
      'filter[permissions][update]'?: 'true' | 'false';
      'filter[permissions][create-workspace]'?: 'true' | 'false';
    };
    answer: {
      data: readonly (Schemas['projects'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'POST /organizations/{organization_name}/projects': {
    path: {
      organization_name: string;
    };
    body: {
      data: {
        type?: 'projects';
        attributes: {
          name: string;
          description?: string | null;
          'auto-destroy-activity-duration'?: string | null;
          'default-execution-mode'?: 'remote' | 'local' | 'agent' | null;
          'default-agent-pool-id'?: string | null;
          'setting-overwrites'?: {
            'default-execution-mode'?: boolean | null;
            'default-agent-pool'?: boolean | null;
          } | null;
        };
        relationships?: {
          'tag-bindings'?: {
            data: readonly ({
              type?: 'tag-bindings';
              attributes: {
                key: string;
                value?: string | null;
              };
            })[];
          };
          'default-agent-pool'?: {
            data: {
              id: string;
            } | null;
          };
        };
      };
    };
    answer: {
      data: Schemas['projects'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /organizations/{organization_name}/recoverable-items': {
    path: {
      organization_name: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['recoverable-items'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'GET /organizations/{organization_name}/relationships/data-retention-policy': {
    path: {
      organization_name: string;
    };
    answer: {
      data: Schemas['data-retention-policy-delete-olders'] | Schemas['data-retention-policy-dont-deletes'] | Schemas['data-retention-policies'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'POST /organizations/{organization_name}/relationships/data-retention-policy': {
    path: {
      organization_name: string;
    };
    body: {
      data: {
        type: 'data-retention-policy-delete-olders' | 'data-retention-policy-dont-deletes' | 'data-retention-policies';
        attributes?: {
          'delete-older-than-n-days'?: number | null;
          deleteOlderThanNDays?: number | null;
          'state-versions-delete-after-n-days'?: number | null;
          stateVersionsDeleteAfterNDays?: number | null;
          'configuration-versions-delete-after-n-days'?: number | null;
          configurationVersionsDeleteAfterNDays?: number | null;
          'run-data-and-logs-delete-after-n-days'?: number | null;
          runDataAndLogsDeleteAfterNDays?: number | null;
          'state-versions-keep-latest-count'?: number | null;
          stateVersionsKeepLatestCount?: number | null;
          'configuration-versions-keep-latest-count'?: number | null;
          configurationVersionsKeepLatestCount?: number | null;
          'run-data-keep-latest-count'?: number | null;
          runDataKeepLatestCount?: number | null;
          'delete-state-versions'?: boolean | null;
          deleteStateVersions?: boolean | null;
          'delete-configuration-versions'?: boolean | null;
          deleteConfigurationVersions?: boolean | null;
          'delete-run-data-and-logs'?: boolean | null;
          deleteRunDataAndLogs?: boolean | null;
        };
      };
    };
    answer: {
      data: Schemas['data-retention-policy-delete-olders'] | Schemas['data-retention-policy-dont-deletes'] | Schemas['data-retention-policies'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'PATCH /organizations/{organization_name}/relationships/data-retention-policy': {
    path: {
      organization_name: string;
    };
    body: {
      data: {
        type: 'data-retention-policy-delete-olders' | 'data-retention-policy-dont-deletes' | 'data-retention-policies';
        attributes?: {
          'delete-older-than-n-days'?: number | null;
          deleteOlderThanNDays?: number | null;
          'state-versions-delete-after-n-days'?: number | null;
          stateVersionsDeleteAfterNDays?: number | null;
          'configuration-versions-delete-after-n-days'?: number | null;
          configurationVersionsDeleteAfterNDays?: number | null;
          'run-data-and-logs-delete-after-n-days'?: number | null;
          runDataAndLogsDeleteAfterNDays?: number | null;
          'state-versions-keep-latest-count'?: number | null;
          stateVersionsKeepLatestCount?: number | null;
          'configuration-versions-keep-latest-count'?: number | null;
          configurationVersionsKeepLatestCount?: number | null;
          'run-data-keep-latest-count'?: number | null;
          runDataKeepLatestCount?: number | null;
          'delete-state-versions'?: boolean | null;
          deleteStateVersions?: boolean | null;
          'delete-configuration-versions'?: boolean | null;
          deleteConfigurationVersions?: boolean | null;
          'delete-run-data-and-logs'?: boolean | null;
          deleteRunDataAndLogs?: boolean | null;
        };
      };
    };
    answer: {
      data: Schemas['data-retention-policy-delete-olders'] | Schemas['data-retention-policy-dont-deletes'] | Schemas['data-retention-policies'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'DELETE /organizations/{organization_name}/relationships/data-retention-policy': {
    path: {
      organization_name: string;
    };
    answer: void;
  };
  'GET /organizations/{organization_name}/reserved-tag-keys': {
    path: {
      organization_name: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['reserved-tag-keys'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'POST /organizations/{organization_name}/reserved-tag-keys': {
    path: {
      organization_name: string;
    };
    body: {
      data: {
        type?: 'reserved-tag-keys';
        attributes: {
          key: string;
          'disable-overrides'?: boolean | null;
        };
        relationships?: Readonly<Record<string, unknown>>;
      };
    };
    answer: {
      data: Schemas['reserved-tag-keys'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /organizations/{organization_name}/runs': {
    path: {
      organization_name: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      include?: string;
      'search[user]'?: string;
      'search[commit]'?: string;
      'search[basic]'?: string;
      'filter[operation]'?: string;
      'filter[status]'?: string;
      'filter[source]'?: string;
      'filter[status_group]'?: string;
      'filter[timeframe]'?: string;
      'filter[agent_pool_names]'?: string;
      'filter[workspace_names]'?: string;
      counts?: 'true' | 'false';
    };
    answer: {
      data: readonly (Schemas['runs'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['RunPageMeta'];
    };
  };
  'GET /organizations/{organization_name}/runs/queue': {
    path: {
      organization_name: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      include?: string;
      'search[user]'?: string;
      'search[commit]'?: string;
      'search[basic]'?: string;
      'filter[operation]'?: string;
      'filter[status]'?: string;
      'filter[source]'?: string;
      'filter[status_group]'?: string;
      'filter[timeframe]'?: string;
      'filter[agent_pool_names]'?: string;
      'filter[workspace_names]'?: string;
    };
    answer: {
      data: readonly (Schemas['runs'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'GET /organizations/{organization_name}/sign-in-provider': {
    path: {
      organization_name: string;
    };
    answer: {
      data: Schemas['sign-in-providers'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'POST /organizations/{organization_name}/sign-in-provider': {
    path: {
      organization_name: string;
    };
    body: {
      data: {
        type?: 'sign-in-providers';
        attributes: {
          name: string;
          issuer: string;
          'client-id': string;
          'client-secret'?: string | null;
          scopes?: readonly (string)[];
          claims?: {
            name?: string;
            email?: string;
            groups?: string;
          };
          create?: 'always' | 'invited' | 'never';
          'sso-team-ids'?: boolean;
          teams?: readonly ({
            group: string;
            team: string;
          })[];
          'certificate-authorities'?: string | null;
        };
        relationships?: Readonly<Record<string, unknown>>;
      };
    };
    answer: {
      data: Schemas['sign-in-providers'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'PATCH /organizations/{organization_name}/sign-in-provider': {
    path: {
      organization_name: string;
    };
    body: {
      data: {
        type?: 'sign-in-providers';
        attributes: {
          name?: string;
          issuer?: string;
          'client-id'?: string;
          'client-secret'?: string | null;
          scopes?: readonly (string)[];
          claims?: {
            name?: string;
            email?: string;
            groups?: string;
          };
          create?: 'always' | 'invited' | 'never';
          'sso-team-ids'?: boolean;
          teams?: readonly ({
            group: string;
            team: string;
          })[];
          'certificate-authorities'?: string | null;
        };
        relationships?: Readonly<Record<string, unknown>>;
      };
    };
    answer: {
      data: Schemas['sign-in-providers'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'DELETE /organizations/{organization_name}/sign-in-provider': {
    path: {
      organization_name: string;
    };
    answer: void;
  };
  'POST /organizations/{organization_name}/sign-in-provider/actions/check': {
    path: {
      organization_name: string;
    };
    answer: {
      data: Schemas['sign-in-provider-checks'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /organizations/{organization_name}/sign-in-providers': {
    path: {
      organization_name: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['sign-in-providers'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'GET /organizations/{organization_name}/ssh-keys': {
    path: {
      organization_name: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['ssh-keys'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'POST /organizations/{organization_name}/ssh-keys': {
    path: {
      organization_name: string;
    };
    body: {
      data: {
        type?: 'ssh-keys';
        attributes: {
          name: string;
          value: string;
        };
        relationships?: Readonly<Record<string, unknown>>;
      };
    };
    answer: {
      data: Schemas['ssh-keys'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /organizations/{organization_name}/subscription': {
    path: {
      organization_name: string;
    };
    answer: {
      data: Schemas['subscriptions'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /organizations/{organization_name}/tags': {
    path: {
      organization_name: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      q?: string;
      'filter[exclude][taggable][id]'?: string;
    };
    answer: {
      data: readonly (Schemas['tags'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'DELETE /organizations/{organization_name}/tags': {
    path: {
      organization_name: string;
    };
    body: {
      data: readonly ({
        type?: 'tags';
        id: string;
      })[];
    };
    answer: void;
  };
  'GET /organizations/{organization_name}/tasks': {
    path: {
      organization_name: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      include?: string;
    };
    answer: {
      data: readonly (Schemas['tasks'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'POST /organizations/{organization_name}/tasks': {
    path: {
      organization_name: string;
    };
    body: {
      data: {
        type?: 'tasks';
        attributes: {
          category?: string | null;
          description?: string | null;
          enabled?: boolean | null;
          'global-configuration'?: {
            enabled?: boolean | null;
            stages?: readonly ('pre_plan' | 'post_plan' | 'pre_apply' | 'post_apply')[] | null;
            'enforcement-level'?: 'advisory' | 'mandatory' | null;
          } | null;
          'hmac-key'?: string | null;
          name?: string | null;
          url?: string | null;
        };
        relationships?: {
          'agent-pool'?: {
            data: {
              id: string;
            } | null;
          };
        };
      };
    };
    answer: {
      data: Schemas['tasks'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /organizations/{organization_name}/team-tokens': {
    path: {
      organization_name: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      q?: string;
      sort?: 'team-name' | '-team-name' | 'created-by' | '-created-by' | 'expired-at' | '-expired-at' | 'last-used-at' | '-last-used-at';
    };
    answer: {
      data: readonly (Schemas['authentication-tokens'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'GET /organizations/{organization_name}/teams': {
    path: {
      organization_name: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      include?: string;
      'filter[names]'?: string;
      q?: string;
    };
    answer: {
      data: readonly (Schemas['teams'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'POST /organizations/{organization_name}/teams': {
    path: {
      organization_name: string;
    };
    body: {
      data: {
        type?: unknown;
        attributes: {
          name: string;
          visibility?: 'secret' | 'organization' | null;
          'sso-team-id'?: string | null;
          'allow-member-token-management'?: boolean | null;
          'organization-access'?: {
            'manage-workspaces'?: boolean | null;
            'read-workspaces'?: boolean | null;
            'manage-projects'?: boolean | null;
            'read-projects'?: boolean | null;
            'manage-policies'?: boolean | null;
            'manage-policy-overrides'?: boolean | null;
            'delegate-policy-overrides'?: boolean | null;
            'manage-run-tasks'?: boolean | null;
            'manage-vcs-settings'?: boolean | null;
            'manage-agent-pools'?: boolean | null;
            'manage-providers'?: boolean | null;
            'manage-modules'?: boolean | null;
            'manage-membership'?: boolean | null;
            'manage-teams'?: boolean | null;
            'manage-organization-access'?: boolean | null;
            'access-secret-teams'?: boolean | null;
          } | null;
        };
        relationships?: Readonly<Record<string, unknown>>;
      };
    };
    answer: {
      data: Schemas['teams'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /organizations/{organization_name}/token-ttl-policies': {
    path: {
      organization_name: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['organization-token-ttl-policies'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'PATCH /organizations/{organization_name}/token-ttl-policies': {
    path: {
      organization_name: string;
    };
    body: {
      data: {
        type?: 'organization-token-ttl-policies';
        attributes: {
          'token-ttl-policies': readonly ({
            'token-type': 'organization' | 'team' | 'user' | 'audit_trails';
            'max-ttl-ms': number;
          })[];
        };
      } | readonly ({
        type?: 'organization-token-ttl-policies';
        attributes: {
          'token-type': 'organization' | 'team' | 'user' | 'audit_trails';
          'max-ttl-ms': number;
        };
      })[];
    };
    answer: {
      data: readonly (Schemas['organization-token-ttl-policies'])[];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /organizations/{organization_name}/varsets': {
    path: {
      organization_name: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      q?: string;
      include?: string;
    };
    answer: {
      data: readonly (Schemas['varsets'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'POST /organizations/{organization_name}/varsets': {
    path: {
      organization_name: string;
    };
    body: {
      data: {
        type?: 'varsets';
        attributes: {
          name: string;
          description?: string | null;
          global?: boolean | null;
          priority?: boolean | null;
        };
        relationships?: {
          workspaces?: {
            data: readonly ({
              type?: 'workspaces';
              id: string;
            })[];
          };
          projects?: {
            data: readonly ({
              type?: 'projects';
              id: string;
            })[];
          };
          vars?: {
            data: readonly ({
              type?: 'vars';
              attributes: {
                key: string;
                category: 'terraform' | 'env';
                value?: string | null;
                description?: string | null;
                hcl?: boolean | null;
                sensitive?: boolean | null;
                'apply-only'?: boolean | null;
              };
            })[];
          };
          parent?: {
            data: {
              type: 'organizations' | 'projects';
              id: string;
            } | null;
          };
        };
      };
    };
    answer: {
      data: Schemas['varsets'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /organizations/{organization_name}/vcs-events': {
    path: {
      organization_name: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      'filter[from]'?: string;
      'filter[to]'?: string;
      'filter[oauth_client_external_ids]'?: string;
      'filter[levels]'?: string;
      include?: string;
    };
    answer: {
      data: readonly (Schemas['vcs-events'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'GET /organizations/{organization_name}/vcs/branches': {
    path: {
      organization_name: string;
    };
    query: {
      oauth_token_id?: string;
      githubAppInstallationId?: string;
      identifier: string;
      'search[name]'?: string;
    };
    answer: {
      data: readonly (Schemas['vcs-branches'])[];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'POST /organizations/{organization_name}/vcs/preview': {
    path: {
      organization_name: string;
    };
    query: {
      count?: string;
      oauth_token_id?: string;
      githubAppInstallationId?: string;
      identifier: string;
    };
    body: {
      data: {
        type?: 'workspaces';
        attributes: {
          'file-triggers-enabled'?: boolean | null;
          'trigger-patterns'?: readonly (string)[] | null;
          'trigger-prefixes'?: readonly (string)[] | null;
          'vcs-repo'?: {
            branch?: string | null;
            'tags-regex'?: string | null;
          };
          'working-directory'?: string | null;
        };
        relationships?: Readonly<Record<string, unknown>>;
      };
    };
    answer: {
      data: readonly (Schemas['vcs-previews'])[];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /organizations/{organization_name}/vcs/repo': {
    path: {
      organization_name: string;
    };
    query: {
      oauth_token_id?: string;
      githubAppInstallationId?: string;
      identifier: string;
    };
    answer: {
      data: Schemas['vcs-repo-check'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /organizations/{organization_name}/vcs/tree': {
    path: {
      organization_name: string;
    };
    query: {
      oauth_token_id?: string;
      githubAppInstallationId?: string;
      identifier: string;
      branch?: string;
    };
    answer: {
      data: readonly (Schemas['vcs-tree'])[];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /organizations/{organization_name}/workspaces': {
    path: {
      organization_name: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      'filter[tagged][0][key]'?: string;
      'filter[tagged][0][value]'?: string;
      include?: string;
      'search[name]'?: string;
      'search[wildcard-name]'?: string;
      'search[tags]'?: string;
      'search[exclude-tags]'?: string;
      'filter[project][id]'?: string;
      'filter[current-run][status]'?: string;
      'filter[locked]'?: 'true' | 'false';
      'filter[has-state]'?: 'true' | 'false';
      'filter[execution-mode]'?: string;
      'filter[engine]'?: string;
      'filter[engine-version]'?: string;
      counts?: 'true' | 'false';
      'filter[tag-union]'?: 'true' | 'false';
      'filter[tag-value-default-null]'?: 'true' | 'false';
      sort?: 'name' | '-name' | 'latest-change-at' | '-latest-change-at' | 'current-run.created-at' | '-current-run.created-at';
    };
    answer: {
      data: readonly (Schemas['workspaces'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['CountedPageMeta'];
    };
  };
  'POST /organizations/{organization_name}/workspaces': {
    path: {
      organization_name: string;
    };
    body: {
      data: {
        type: 'workspaces';
        attributes: {
          name: string;
          'agent-pool-id'?: string | null;
          'allow-destroy-plan'?: boolean | null;
          'assessments-enabled'?: boolean | null;
          'auto-apply'?: boolean | null;
          'auto-apply-run-trigger'?: boolean | null;
          'auto-destroy-activity-duration'?: string | null;
          'auto-destroy-at'?: string | null;
          description?: string | null;
          engine?: 'opentofu' | 'terraform' | null;
          'engine-version'?: string | null;
          'execution-mode'?: 'remote' | 'local' | 'agent' | null;
          'file-triggers-enabled'?: boolean | null;
          'global-remote-state'?: boolean | null;
          'inherits-project-auto-destroy'?: boolean | null;
          'migration-environment'?: string | null;
          operations?: boolean | null;
          'project-remote-state'?: boolean | null;
          'queue-all-runs'?: boolean | null;
          'setting-overwrites'?: {
            'execution-mode'?: boolean | null;
            'agent-pool'?: boolean | null;
          } | null;
          'source-name'?: string | null;
          'source-url'?: string | null;
          'speculative-enabled'?: boolean | null;
          'structured-run-output-enabled'?: boolean | null;
          'terraform-version'?: string | null;
          'trigger-patterns'?: readonly (string)[] | null;
          'trigger-prefixes'?: readonly (string)[] | null;
          'vcs-repo'?: {
            identifier?: string | null;
            'oauth-token-id'?: string | null;
            'github-app-installation-id'?: string | null;
            branch?: string | null;
            'ingress-submodules'?: boolean | null;
            'tags-regex'?: string | null;
          } | null;
          'working-directory'?: string | null;
        };
        relationships?: {
          project?: {
            data: {
              id?: string;
            } | null;
          };
          tags?: {
            data: readonly ({
              type?: 'tags';
              id?: string;
              attributes?: {
                name?: string;
              };
            })[];
          };
          'tag-bindings'?: {
            data: readonly ({
              type?: 'tag-bindings';
              attributes: {
                key: string;
                value?: string | null;
              };
            })[];
          };
        };
      };
    };
    answer: {
      data: Schemas['workspaces'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /organizations/{organization_name}/workspaces/{workspace_name}': {
    path: {
      organization_name: string;
      workspace_name: string;
    };
    query: {
      include?: string;
    };
    answer: {
      data: Schemas['workspaces'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'PATCH /organizations/{organization_name}/workspaces/{workspace_name}': {
    path: {
      organization_name: string;
      workspace_name: string;
    };
    body: {
      data: {
        type: 'workspaces';
        attributes?: {
          name?: string;
          'agent-pool-id'?: string | null;
          'allow-destroy-plan'?: boolean | null;
          'assessments-enabled'?: boolean | null;
          'auto-apply'?: boolean | null;
          'auto-apply-run-trigger'?: boolean | null;
          'auto-destroy-activity-duration'?: string | null;
          'auto-destroy-at'?: string | null;
          description?: string | null;
          engine?: 'opentofu' | 'terraform' | null;
          'engine-version'?: string | null;
          'execution-mode'?: 'remote' | 'local' | 'agent' | null;
          'file-triggers-enabled'?: boolean | null;
          'global-remote-state'?: boolean | null;
          'inherits-project-auto-destroy'?: boolean | null;
          'migration-environment'?: string | null;
          operations?: boolean | null;
          'project-remote-state'?: boolean | null;
          'queue-all-runs'?: boolean | null;
          'setting-overwrites'?: {
            'execution-mode'?: boolean | null;
            'agent-pool'?: boolean | null;
          } | null;
          'source-name'?: string | null;
          'source-url'?: string | null;
          'speculative-enabled'?: boolean | null;
          'structured-run-output-enabled'?: boolean | null;
          'terraform-version'?: string | null;
          'trigger-patterns'?: readonly (string)[] | null;
          'trigger-prefixes'?: readonly (string)[] | null;
          'vcs-repo'?: {
            identifier?: string | null;
            'oauth-token-id'?: string | null;
            'github-app-installation-id'?: string | null;
            branch?: string | null;
            'ingress-submodules'?: boolean | null;
            'tags-regex'?: string | null;
          } | null;
          'working-directory'?: string | null;
        };
        relationships?: {
          project?: {
            data: {
              id?: string;
            } | null;
          };
          'tag-bindings'?: {
            data: readonly ({
              type?: 'tag-bindings';
              attributes: {
                key: string;
                value?: string | null;
              };
            })[];
          };
        };
      };
    };
    answer: {
      data: Schemas['workspaces'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'DELETE /organizations/{organization_name}/workspaces/{workspace_name}': {
    path: {
      organization_name: string;
      workspace_name: string;
    };
    answer: void;
  };
  'POST /organizations/{organization_name}/workspaces/{workspace_name}/actions/safe-delete': {
    path: {
      organization_name: string;
      workspace_name: string;
    };
    answer: void;
  };
  'PATCH /passkeys/{passkey_id}': {
    path: {
      passkey_id: string;
    };
    body: {
      data: {
        type?: 'passkeys';
        attributes: {
          name: string;
        };
        relationships?: Readonly<Record<string, unknown>>;
      };
    };
    answer: {
      data: Schemas['passkeys'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'DELETE /passkeys/{passkey_id}': {
    path: {
      passkey_id: string;
    };
    answer: void;
  };
  'GET /ping': {
    answer: void;
  };
  'GET /pipeline-identities/{pipeline_identity_id}': {
    path: {
      pipeline_identity_id: string;
    };
    answer: {
      data: Schemas['pipeline-identities'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'PATCH /pipeline-identities/{pipeline_identity_id}': {
    path: {
      pipeline_identity_id: string;
    };
    body: {
      data: {
        type?: 'pipeline-identities';
        attributes: {
          description?: string | null;
          issuer?: string;
          'jwks-url'?: string | null;
          audiences?: readonly (string)[];
          claims?: Readonly<Record<string, string | number | boolean | readonly (string | number | boolean)[]>>;
          'token-ttl'?: number;
        };
        relationships?: Readonly<Record<string, unknown>>;
      };
    };
    answer: {
      data: Schemas['pipeline-identities'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'DELETE /pipeline-identities/{pipeline_identity_id}': {
    path: {
      pipeline_identity_id: string;
    };
    answer: void;
  };
  'GET /plans/{id}': {
    path: {
      id: string;
    };
    answer: {
      data: Schemas['plans'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'POST /plans/{id}/actions/append-log': {
    path: {
      id: string;
    };
    body: {
      data: {
        type?: unknown;
        attributes: {
          offset: number;
          content: string;
        };
      };
    };
    answer: {
      data: Schemas['plans'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /plans/{id}/folder': {
    path: {
      id: string;
    };
    answer: Blob | void;
  };
  'PUT /plans/{id}/folder': {
    path: {
      id: string;
    };
    answer: void;
  };
  'GET /plans/{id}/json-output': {
    path: {
      id: string;
    };
    answer: unknown | void;
  };
  'PUT /plans/{id}/json-output': {
    path: {
      id: string;
    };
    answer: void;
  };
  'GET /plans/{id}/json-output-redacted': {
    path: {
      id: string;
    };
    answer: unknown | void;
  };
  'PUT /plans/{id}/json-output-redacted': {
    path: {
      id: string;
    };
    answer: void;
  };
  'GET /plans/{id}/provider-schemas': {
    path: {
      id: string;
    };
    answer: unknown | void;
  };
  'PUT /plans/{id}/provider-schemas': {
    path: {
      id: string;
    };
    answer: void;
  };
  'GET /plans/{id}/sanitized-plan': {
    path: {
      id: string;
    };
    answer: void;
  };
  'GET /projects/{project_id}': {
    path: {
      project_id: string;
    };
    query: {
      include?: string;
    };
    answer: {
      data: Schemas['projects'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'PATCH /projects/{project_id}': {
    path: {
      project_id: string;
    };
    body: {
      data: {
        type?: 'projects';
        attributes?: {
          name?: string;
          description?: string | null;
          'auto-destroy-activity-duration'?: string | null;
          'default-execution-mode'?: 'remote' | 'local' | 'agent' | null;
          'default-agent-pool-id'?: string | null;
          'setting-overwrites'?: {
            'default-execution-mode'?: boolean | null;
            'default-agent-pool'?: boolean | null;
          } | null;
        };
        relationships?: {
          'tag-bindings'?: {
            data: readonly ({
              type?: 'tag-bindings';
              attributes: {
                key: string;
                value?: string | null;
              };
            })[];
          };
          'default-agent-pool'?: {
            data: {
              id: string;
            } | null;
          };
        };
      };
    };
    answer: {
      data: Schemas['projects'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'DELETE /projects/{project_id}': {
    path: {
      project_id: string;
    };
    answer: void;
  };
  'GET /projects/{project_id}/approval-rules': {
    path: {
      project_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['approval-rules'])[];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'POST /projects/{project_id}/approval-rules': {
    path: {
      project_id: string;
    };
    body: {
      data: {
        type?: 'approval-rules';
        attributes: {
          name: string;
          operations?: 'all' | 'destroy';
          'requester-may-approve'?: boolean;
          'required-approvals'?: number;
        };
        relationships?: {
          teams: {
            data: readonly ({
              type?: 'teams';
              id: string;
            })[];
          };
        };
      };
    };
    answer: {
      data: Schemas['approval-rules'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /projects/{project_id}/effective-tag-bindings': {
    path: {
      project_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['effective-tag-bindings'])[];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /projects/{project_id}/notification-configurations': {
    path: {
      project_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['notification-configurations'])[];
      included?: readonly (Schemas['Resource'])[];
      links?: Schemas['PageLinks'];
      meta?: Schemas['PageMeta'];
    };
  };
  'POST /projects/{project_id}/notification-configurations': {
    path: {
      project_id: string;
    };
    body: {
      data: {
        type?: 'notification-configurations';
        attributes: {
          'destination-type'?: string | null;
          digest?: {
            hour?: number;
            'time-zone'?: string;
            'waiting-hours'?: number;
          } | null;
          'email-addresses'?: readonly (string)[] | null;
          enabled?: boolean | null;
          name?: string | null;
          token?: string | null;
          triggers?: readonly (string)[] | null;
          url?: string | null;
        };
        relationships?: {
          users?: {
            data: readonly ({
              id: string;
            })[] | null;
          };
        };
      };
    };
    answer: {
      data: Schemas['notification-configurations'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /projects/{project_id}/relationships/tag-bindings': {
    path: {
      project_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['tag-bindings'])[];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'POST /projects/{project_id}/relationships/tag-bindings': {
    path: {
      project_id: string;
    };
    body: {
      data: readonly ({
        type?: 'tag-bindings';
        attributes: {
          key: string;
          value?: string | null;
        };
      })[];
    };
    answer: void;
  };
  'PATCH /projects/{project_id}/relationships/tag-bindings': {
    path: {
      project_id: string;
    };
    body: {
      data: readonly ({
        type?: 'tag-bindings';
        attributes: {
          key: string;
          value?: string | null;
        };
      })[];
    };
    answer: void;
  };
  'POST /projects/{project_id}/relationships/workspaces': {
    path: {
      project_id: string;
    };
    body: {
      data: readonly ({
        type?: 'workspaces';
        id: string;
      })[];
    };
    answer: void;
  };
  'GET /projects/{project_id}/schedules': {
    path: {
      project_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['schedules'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'POST /projects/{project_id}/schedules': {
    path: {
      project_id: string;
    };
    body: {
      data: {
        type?: 'schedules';
        attributes: {
          name: string;
          operation: 'plan' | 'apply' | 'refresh' | 'drift';
          cron: string;
          'time-zone'?: string;
          jitter?: number;
          'when-busy'?: 'skip' | 'queue';
          paused?: boolean;
        };
      };
    };
    answer: {
      data: Schemas['schedules'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /projects/{project_id}/tag-bindings': {
    path: {
      project_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['tag-bindings'])[];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'PATCH /projects/{project_id}/tag-bindings': {
    path: {
      project_id: string;
    };
    body: {
      data: readonly ({
        type?: 'tag-bindings';
        attributes: {
          key: string;
          value?: string | null;
        };
      })[];
    };
    answer: {
      data: readonly (Schemas['tag-bindings'])[];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /projects/{project_id}/varsets': {
    path: {
      project_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      q?: string;
      include?: string;
    };
    answer: {
      data: readonly (Schemas['varsets'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'GET /recoverable-items/{recoverable_item_id}': {
    path: {
      recoverable_item_id: string;
    };
    answer: {
      data: Schemas['recoverable-items'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'PUT /recoverable-items/{recoverable_item_id}/actions/permanently-delete': {
    path: {
      recoverable_item_id: string;
    };
    answer: void;
  };
  'PUT /recoverable-items/{recoverable_item_id}/actions/recover': {
    path: {
      recoverable_item_id: string;
    };
    answer: void;
  };
  'PATCH /reserved-tag-keys/{id}': {
    path: {
      id: string;
    };
    body: {
      data: {
        type?: 'reserved-tag-keys';
        attributes?: {
          key?: string;
          'disable-overrides'?: boolean | null;
        };
        relationships?: Readonly<Record<string, unknown>>;
      };
    };
    answer: {
      data: Schemas['reserved-tag-keys'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'DELETE /reserved-tag-keys/{id}': {
    path: {
      id: string;
    };
    answer: void;
  };
  'PATCH /reserved-tags/{id}': {
    path: {
      id: string;
    };
    body: {
      data: {
        type?: 'reserved-tag-keys';
        attributes?: {
          key?: string;
          'disable-overrides'?: boolean | null;
        };
        relationships?: Readonly<Record<string, unknown>>;
      };
    };
    answer: {
      data: Schemas['reserved-tag-keys'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'DELETE /reserved-tags/{id}': {
    path: {
      id: string;
    };
    answer: void;
  };
  'GET /run-events/{id}': {
    path: {
      id: string;
    };
    query: {
      include?: string;
    };
    answer: {
      data: Schemas['run-events'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /run-logs/{link}': {
    path: {
      link: string;
    };
    query: {
      limit?: string;
      offset?: string;
    };
    answer: Blob;
  };
  'GET /run-triggers/{id}': {
    path: {
      id: string;
    };
    query: {
      include?: string;
    };
    answer: {
      data: Schemas['run-triggers'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'DELETE /run-triggers/{id}': {
    path: {
      id: string;
    };
    answer: void;
  };
  'POST /runs': {
    body: {
      data: {
        type?: 'runs';
        attributes?: {
          'allow-config-generation'?: boolean | null;
          'allow-empty-apply'?: boolean | null;
          'auto-apply'?: boolean | null;
          'invoke-action-addrs'?: readonly (string)[] | null;
          'is-destroy'?: boolean | null;
          'plan-only'?: boolean | null;
          'policy-paths'?: readonly (string)[] | null;
          refresh?: boolean | null;
          'refresh-only'?: boolean | null;
          'replace-addrs'?: readonly (string)[] | null;
          'save-plan'?: boolean | null;
          'target-addrs'?: readonly (string)[] | null;
          'terraform-version'?: string | null;
          message?: string | null;
          variables?: readonly ({
            key: string;
            value: string;
          })[] | null;
        };
        relationships: {
          workspace: {
            data: {
              id: string;
            };
          };
          'configuration-version'?: {
            data: {
              id: string;
            } | null;
          };
        };
      };
    };
    answer: {
      data: Schemas['runs'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /runs/{run_id}': {
    path: {
      run_id: string;
    };
    query: {
      include?: string;
    };
    answer: {
      data: Schemas['runs'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'POST /runs/{run_id}/actions/advance': {
    path: {
      run_id: string;
    };
    body: {
      data: {
        type?: unknown;
        attributes: {
          status: 'planning' | 'planned' | 'applying' | 'applied' | 'errored' | 'canceled';
          'has-changes'?: boolean;
          'resource-additions'?: number;
          'resource-changes'?: number;
          'resource-destructions'?: number;
          'resource-imports'?: number;
        };
      };
    };
    answer: {
      data: Schemas['runs'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'POST /runs/{run_id}/actions/apply': {
    path: {
      run_id: string;
    };
    body: {
      comment?: string | null;
    } | null;
    answer: void;
  };
  'POST /runs/{run_id}/actions/approve': {
    path: {
      run_id: string;
    };
    body: {
      comment?: string | null;
    } | null;
    answer: void;
  };
  'POST /runs/{run_id}/actions/cancel': {
    path: {
      run_id: string;
    };
    body: {
      comment?: string | null;
    } | null;
    answer: void;
  };
  'POST /runs/{run_id}/actions/discard': {
    path: {
      run_id: string;
    };
    body: {
      comment?: string | null;
    } | null;
    answer: void;
  };
  'POST /runs/{run_id}/actions/force-cancel': {
    path: {
      run_id: string;
    };
    body: {
      comment?: string | null;
    } | null;
    answer: void;
  };
  'POST /runs/{run_id}/actions/force-execute': {
    path: {
      run_id: string;
    };
    body: {
      comment?: string | null;
    } | null;
    answer: void;
  };
  'POST /runs/{run_id}/actions/revoke-approval': {
    path: {
      run_id: string;
    };
    body: {
      comment?: string | null;
    } | null;
    answer: void;
  };
  'GET /runs/{run_id}/approvals': {
    path: {
      run_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['run-approvals'])[];
      included?: readonly (Schemas['Resource'])[];
      meta: {
        approvals: {
          required: number;
          given: number;
          missing: string | null;
          confirmed: boolean;
          'cannot-approve-because': string | null;
        } | null;
        rules: readonly ({
          id: string;
          name: string;
          required: number;
          given: number;
          missing: number;
          'requester-may-approve': boolean;
          'user-ids': readonly (string)[];
          'of-project': boolean;
          teams: readonly ({
            id: string;
            name: string | null;
            exists: boolean;
          })[];
        })[];
      };
    };
  };
  'GET /runs/{run_id}/comments': {
    path: {
      run_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['comments'])[];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'POST /runs/{run_id}/comments': {
    path: {
      run_id: string;
    };
    body: {
      data: {
        type?: 'comments';
        attributes: {
          body: string;
        };
      };
    };
    answer: {
      data: Schemas['comments'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /runs/{run_id}/policy-checks': {
    path: {
      run_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      include?: string;
      sort?: string;
      'search[name]'?: string;
      'filter[kind]'?: string;
      'filter[versioned]'?: string;
    };
    answer: {
      data: readonly (unknown)[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'GET /runs/{run_id}/run-events': {
    path: {
      run_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      include?: string;
    };
    answer: {
      data: readonly (Schemas['run-events'])[];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /runs/{run_id}/task-stages': {
    path: {
      run_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      include?: string;
    };
    answer: {
      data: readonly (Schemas['task-stages'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'GET /schedules/{schedule_id}': {
    path: {
      schedule_id: string;
    };
    answer: {
      data: Schemas['schedules'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'PATCH /schedules/{schedule_id}': {
    path: {
      schedule_id: string;
    };
    body: {
      data: {
        type?: 'schedules';
        attributes?: {
          name?: string;
          operation?: 'plan' | 'apply' | 'refresh' | 'drift';
          cron?: string;
          'time-zone'?: string;
          jitter?: number;
          'when-busy'?: 'skip' | 'queue';
          paused?: boolean;
        };
      };
    };
    answer: {
      data: Schemas['schedules'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'DELETE /schedules/{schedule_id}': {
    path: {
      schedule_id: string;
    };
    answer: void;
  };
  'GET /schedules/{schedule_id}/outcomes': {
    path: {
      schedule_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      'filter[workspace][id]'?: string;
    };
    answer: {
      data: readonly (Schemas['schedule-outcomes'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'POST /schedules/{schedule_id}/relationships/excluded-workspaces': {
    path: {
      schedule_id: string;
    };
    body: {
      data: readonly ({
        type?: 'workspaces';
        id: string;
      })[];
    };
    answer: void;
  };
  'DELETE /schedules/{schedule_id}/relationships/excluded-workspaces': {
    path: {
      schedule_id: string;
    };
    body: {
      data: readonly ({
        type?: 'workspaces';
        id: string;
      })[];
    };
    answer: void;
  };
  'GET /schedules/preview': {
    query: {
      cron: string;
      'time-zone'?: string;
    };
    answer: {
      data: Schemas['schedule-previews'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'DELETE /sessions/{session_id}': {
    path: {
      session_id: string;
    };
    answer: void;
  };
  'GET /ssh-keys/{ssh_key_id}': {
    path: {
      ssh_key_id: string;
    };
    answer: {
      data: Schemas['ssh-keys'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'PATCH /ssh-keys/{ssh_key_id}': {
    path: {
      ssh_key_id: string;
    };
    body: {
      data: {
        type?: unknown;
        attributes?: {
          name?: string;
          value?: string;
        };
        relationships?: Readonly<Record<string, unknown>>;
      };
    };
    answer: {
      data: Schemas['ssh-keys'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'DELETE /ssh-keys/{ssh_key_id}': {
    path: {
      ssh_key_id: string;
    };
    answer: void;
  };
  'GET /state-version-outputs/{output_id}': {
    path: {
      output_id: string;
    };
    answer: {
      data: Schemas['state-version-outputs'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /state-versions': {
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      'filter[organization][name]': string;
      'filter[workspace][name]': string;
      'filter[status]'?: 'pending' | 'finalized' | 'discarded' | 'backing_data_soft_deleted' | 'backing_data_permanently_deleted';
      include?: string;
    };
    answer: {
      data: readonly (Schemas['state-versions'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'GET /state-versions/{state_version_id}': {
    path: {
      state_version_id: string;
    };
    query: {
      include?: string;
    };
    answer: {
      data: Schemas['state-versions'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'POST /state-versions/{state_version_id}/actions/permanently_delete_backing_data': {
    path: {
      state_version_id: string;
    };
    answer: void;
  };
  'POST /state-versions/{state_version_id}/actions/restore_backing_data': {
    path: {
      state_version_id: string;
    };
    answer: void;
  };
  'POST /state-versions/{state_version_id}/actions/soft_delete_backing_data': {
    path: {
      state_version_id: string;
    };
    answer: void;
  };
  'GET /state-versions/{state_version_id}/diff': {
    path: {
      state_version_id: string;
    };
    query: {
      from?: string;
    };
    answer: {
      data: Schemas['state-version-diffs'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /state-versions/{state_version_id}/download': {
    path: {
      state_version_id: string;
    };
    query: {
      link?: string;
    };
    answer: Blob;
  };
  'GET /state-versions/{state_version_id}/graph': {
    path: {
      state_version_id: string;
    };
    answer: {
      data: Schemas['state-version-graphs'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /state-versions/{state_version_id}/json-download': {
    path: {
      state_version_id: string;
    };
    query: {
      link?: string;
    };
    answer: unknown;
  };
  'PUT /state-versions/{state_version_id}/json-upload': {
    path: {
      state_version_id: string;
    };
    query: {
      link?: string;
    };
    answer: void;
  };
  'GET /state-versions/{state_version_id}/outputs': {
    path: {
      state_version_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['state-version-outputs'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'PUT /state-versions/{state_version_id}/upload': {
    path: {
      state_version_id: string;
    };
    query: {
      link?: string;
    };
    answer: void;
  };
  'POST /tags/{id}/relationships/workspaces': {
    path: {
      id: string;
    };
    body: {
      data: readonly ({
        type?: 'workspaces';
        id: string;
      })[];
    };
    answer: void;
  };
  'GET /task-results/{task_result_id}': {
    path: {
      task_result_id: string;
    };
    answer: {
      data: Schemas['task-results'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'PATCH /task-results/{task_result_id}/callback': {
    path: {
      task_result_id: string;
    };
    body: {
      data: {
        type?: 'task-results' | 'task_results';
        attributes: {
          status: 'running' | 'passed' | 'failed';
          message?: string | null;
          url?: string | null;
        };
        relationships?: {
          outcomes?: {
            data: readonly ({
              type?: 'task-result-outcomes';
              attributes: {
                'outcome-id'?: string | null;
                description?: string | null;
                body?: string | null;
                url?: string | null;
                tags?: Readonly<Record<string, readonly ({
                  label: string;
                  level?: string | null;
                })[]>> | null;
              };
            })[] | null;
          };
        };
      };
    };
    answer: {
      data: Schemas['task-results'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /task-results/{task_result_id}/outcomes': {
    path: {
      task_result_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['task-result-outcomes'])[];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /task-stages/{task_stage_id}': {
    path: {
      task_stage_id: string;
    };
    query: {
      include?: string;
    };
    answer: {
      data: Schemas['task-stages'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'POST /task-stages/{task_stage_id}/actions/override': {
    path: {
      task_stage_id: string;
    };
    body: {
      comment?: string | null;
    } | null;
    answer: void;
  };
  'GET /tasks/{task_id}': {
    path: {
      task_id: string;
    };
    query: {
      include?: string;
    };
    answer: {
      data: Schemas['tasks'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'PATCH /tasks/{task_id}': {
    path: {
      task_id: string;
    };
    body: {
      data: {
        type?: 'tasks';
        attributes?: {
          category?: string | null;
          description?: string | null;
          enabled?: boolean | null;
          'global-configuration'?: {
            enabled?: boolean | null;
            stages?: readonly ('pre_plan' | 'post_plan' | 'pre_apply' | 'post_apply')[] | null;
            'enforcement-level'?: 'advisory' | 'mandatory' | null;
          } | null;
          'hmac-key'?: string | null;
          name?: string | null;
          url?: string | null;
        };
        relationships?: {
          'agent-pool'?: {
            data: {
              id: string;
            } | null;
          };
        };
      };
    };
    answer: {
      data: Schemas['tasks'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'DELETE /tasks/{task_id}': {
    path: {
      task_id: string;
    };
    answer: void;
  };
  'GET /team-projects': {
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      'filter[team][id]'?: string;
      'filter[project][id]': string;
    };
    answer: {
      data: readonly (Schemas['team-projects'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'POST /team-projects': {
    body: {
      data: {
        type?: unknown;
        attributes: {
          access: 'read' | 'write' | 'maintain' | 'admin' | 'custom';
          'project-access'?: {
            settings?: 'read' | 'update' | 'delete' | null;
            teams?: 'none' | 'read' | 'manage' | null;
            'variable-sets'?: 'none' | 'read' | 'write' | null;
          };
          'workspace-access'?: {
            runs?: 'none' | 'read' | 'plan' | 'apply' | null;
            variables?: 'none' | 'read' | 'write' | null;
            'state-versions'?: 'none' | 'read-outputs' | 'read' | 'write' | null;
            'sentinel-mocks'?: 'none' | 'read' | null;
            'run-tasks'?: boolean | null;
            'policy-overrides'?: boolean | null;
            locking?: boolean | null;
            create?: boolean | null;
            move?: boolean | null;
            delete?: boolean | null;
          };
        };
        relationships: {
          team: {
            data: {
              type?: 'teams';
              id: string;
            };
          };
          project: {
            data: {
              type?: 'projects';
              id: string;
            };
          };
        };
      };
    };
    answer: {
      data: Schemas['team-projects'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /team-projects/{team_project_id}': {
    path: {
      team_project_id: string;
    };
    answer: {
      data: Schemas['team-projects'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'PATCH /team-projects/{team_project_id}': {
    path: {
      team_project_id: string;
    };
    body: {
      data: {
        type?: unknown;
        attributes: {
          access?: 'read' | 'write' | 'maintain' | 'admin' | 'custom';
          'project-access'?: {
            settings?: 'read' | 'update' | 'delete' | null;
            teams?: 'none' | 'read' | 'manage' | null;
            'variable-sets'?: 'none' | 'read' | 'write' | null;
          };
          'workspace-access'?: {
            runs?: 'none' | 'read' | 'plan' | 'apply' | null;
            variables?: 'none' | 'read' | 'write' | null;
            'state-versions'?: 'none' | 'read-outputs' | 'read' | 'write' | null;
            'sentinel-mocks'?: 'none' | 'read' | null;
            'run-tasks'?: boolean | null;
            'policy-overrides'?: boolean | null;
            locking?: boolean | null;
            create?: boolean | null;
            move?: boolean | null;
            delete?: boolean | null;
          };
        };
        relationships?: Readonly<Record<string, unknown>>;
      };
    };
    answer: {
      data: Schemas['team-projects'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'DELETE /team-projects/{team_project_id}': {
    path: {
      team_project_id: string;
    };
    answer: void;
  };
  'GET /team-workspaces': {
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      'filter[team][id]'?: string;
      'filter[workspace][id]': string;
    };
    answer: {
      data: readonly (Schemas['team-workspaces'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'POST /team-workspaces': {
    body: {
      data: {
        type?: 'team-workspaces';
        attributes: {
          access: 'read' | 'plan' | 'write' | 'admin' | 'custom';
          runs?: 'none' | 'read' | 'plan' | 'apply' | null;
          variables?: 'none' | 'read' | 'write' | null;
          'state-versions'?: 'none' | 'read-outputs' | 'read' | 'write' | null;
          'sentinel-mocks'?: 'none' | 'read' | null;
          'run-tasks'?: boolean | null;
          'policy-overrides'?: boolean | null;
          'workspace-locking'?: boolean | null;
        };
        relationships: {
          team: {
            data: {
              type?: 'teams';
              id: string;
            };
          };
          workspace: {
            data: {
              type?: 'workspaces';
              id: string;
            };
          };
        };
      };
    };
    answer: {
      data: Schemas['team-workspaces'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /team-workspaces/{team_workspace_id}': {
    path: {
      team_workspace_id: string;
    };
    answer: {
      data: Schemas['team-workspaces'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'PATCH /team-workspaces/{team_workspace_id}': {
    path: {
      team_workspace_id: string;
    };
    body: {
      data: {
        type?: unknown;
        attributes: {
          access?: 'read' | 'plan' | 'write' | 'admin' | 'custom';
          runs?: 'none' | 'read' | 'plan' | 'apply' | null;
          variables?: 'none' | 'read' | 'write' | null;
          'state-versions'?: 'none' | 'read-outputs' | 'read' | 'write' | null;
          'sentinel-mocks'?: 'none' | 'read' | null;
          'run-tasks'?: boolean | null;
          'policy-overrides'?: boolean | null;
          'workspace-locking'?: boolean | null;
        };
        relationships?: Readonly<Record<string, unknown>>;
      };
    };
    answer: {
      data: Schemas['team-workspaces'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'DELETE /team-workspaces/{team_workspace_id}': {
    path: {
      team_workspace_id: string;
    };
    answer: void;
  };
  'GET /teams/{team_id}': {
    path: {
      team_id: string;
    };
    query: {
      include?: string;
    };
    answer: {
      data: Schemas['teams'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'PATCH /teams/{team_id}': {
    path: {
      team_id: string;
    };
    body: {
      data: {
        type?: unknown;
        attributes: {
          name?: string;
          visibility?: 'secret' | 'organization' | null;
          'sso-team-id'?: string | null;
          'allow-member-token-management'?: boolean | null;
          'organization-access'?: {
            'manage-workspaces'?: boolean | null;
            'read-workspaces'?: boolean | null;
            'manage-projects'?: boolean | null;
            'read-projects'?: boolean | null;
            'manage-policies'?: boolean | null;
            'manage-policy-overrides'?: boolean | null;
            'delegate-policy-overrides'?: boolean | null;
            'manage-run-tasks'?: boolean | null;
            'manage-vcs-settings'?: boolean | null;
            'manage-agent-pools'?: boolean | null;
            'manage-providers'?: boolean | null;
            'manage-modules'?: boolean | null;
            'manage-membership'?: boolean | null;
            'manage-teams'?: boolean | null;
            'manage-organization-access'?: boolean | null;
            'access-secret-teams'?: boolean | null;
          } | null;
        };
        relationships?: Readonly<Record<string, unknown>>;
      };
    };
    answer: {
      data: Schemas['teams'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'DELETE /teams/{team_id}': {
    path: {
      team_id: string;
    };
    answer: void;
  };
  'GET /teams/{team_id}/authentication-token': {
    path: {
      team_id: string;
    };
    answer: {
      data: Schemas['authentication-tokens'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'POST /teams/{team_id}/authentication-token': {
    path: {
      team_id: string;
    };
    body: {
      data?: {
        type?: unknown;
        attributes?: {
          description?: string | null;
          'expired-at'?: string | null;
        };
      };
    } | null;
    answer: {
      data: Schemas['authentication-tokens'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'DELETE /teams/{team_id}/authentication-token': {
    path: {
      team_id: string;
    };
    answer: void;
  };
  'GET /teams/{team_id}/authentication-tokens': {
    path: {
      team_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['authentication-tokens'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'POST /teams/{team_id}/authentication-tokens': {
    path: {
      team_id: string;
    };
    body: {
      data?: {
        type?: unknown;
        attributes?: {
          description?: string | null;
          'expired-at'?: string | null;
        };
      };
    } | null;
    answer: {
      data: Schemas['authentication-tokens'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /teams/{team_id}/machine-identities': {
    path: {
      team_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['machine-identities'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'POST /teams/{team_id}/machine-identities': {
    path: {
      team_id: string;
    };
    body: {
      data: {
        type?: 'machine-identities';
        attributes: {
          mount: string;
          role: string;
          'common-name'?: string | null;
        };
        relationships?: Readonly<Record<string, unknown>>;
      };
    };
    answer: {
      data: Schemas['machine-identities'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /teams/{team_id}/notification-configurations': {
    path: {
      team_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['notification-configurations'])[];
      included?: readonly (Schemas['Resource'])[];
      links?: Schemas['PageLinks'];
      meta?: Schemas['PageMeta'];
    };
  };
  'POST /teams/{team_id}/notification-configurations': {
    path: {
      team_id: string;
    };
    body: {
      data: {
        type?: 'notification-configurations';
        attributes: {
          'destination-type'?: string | null;
          digest?: {
            hour?: number;
            'time-zone'?: string;
            'waiting-hours'?: number;
          } | null;
          'email-addresses'?: readonly (string)[] | null;
          enabled?: boolean | null;
          name?: string | null;
          token?: string | null;
          triggers?: readonly (string)[] | null;
          url?: string | null;
        };
        relationships?: {
          users?: {
            data: readonly ({
              id: string;
            })[] | null;
          };
        };
      };
    };
    answer: {
      data: Schemas['notification-configurations'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'POST /teams/{team_id}/pipeline-explanation': {
    path: {
      team_id: string;
    };
    body: {
      data: {
        type?: 'pipeline-explanations';
        attributes: {
          token: string;
        };
        relationships?: Readonly<Record<string, unknown>>;
      };
    };
    answer: {
      data: Schemas['pipeline-explanations'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /teams/{team_id}/pipeline-identities': {
    path: {
      team_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['pipeline-identities'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'POST /teams/{team_id}/pipeline-identities': {
    path: {
      team_id: string;
    };
    body: {
      data: {
        type?: 'pipeline-identities';
        attributes: {
          description?: string | null;
          issuer: string;
          'jwks-url'?: string | null;
          audiences: readonly (string)[];
          claims: Readonly<Record<string, string | number | boolean | readonly (string | number | boolean)[]>>;
          'token-ttl'?: number;
        };
        relationships?: Readonly<Record<string, unknown>>;
      };
    };
    answer: {
      data: Schemas['pipeline-identities'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /teams/{team_id}/relationships/organization-memberships': {
    path: {
      team_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      include?: string;
      'filter[status]'?: 'active' | 'invited';
    };
    answer: {
      data: readonly (Schemas['organization-memberships'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'POST /teams/{team_id}/relationships/organization-memberships': {
    path: {
      team_id: string;
    };
    body: {
      data: readonly ({
        type?: 'organization-memberships';
        id: string;
      })[];
    };
    answer: void;
  };
  'DELETE /teams/{team_id}/relationships/organization-memberships': {
    path: {
      team_id: string;
    };
    body: {
      data: readonly ({
        type?: 'organization-memberships';
        id: string;
      })[];
    };
    answer: void;
  };
  'POST /teams/{team_id}/relationships/users': {
    path: {
      team_id: string;
    };
    body: {
      data: readonly ({
        type?: 'users';
        id: string;
      })[];
    };
    answer: void;
  };
  'DELETE /teams/{team_id}/relationships/users': {
    path: {
      team_id: string;
    };
    body: {
      data: readonly ({
        type?: 'users';
        id: string;
      })[];
    };
    answer: void;
  };
  'GET /teams/{team_id}/workspaces': {
    path: {
      team_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      'search[name]'?: string;
      sort?: 'name' | '-name' | 'latest-change-at' | '-latest-change-at' | 'current-run.created-at' | '-current-run.created-at';
    };
    answer: {
      data: readonly (Schemas['workspaces'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'GET /users/{user_id}': {
    path: {
      user_id: string;
    };
    answer: {
      data: Schemas['users'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /users/{user_id}/authentication-tokens': {
    path: {
      user_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['authentication-tokens'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'POST /users/{user_id}/authentication-tokens': {
    path: {
      user_id: string;
    };
    body: {
      data?: {
        type?: unknown;
        attributes?: {
          description?: string | null;
          'expired-at'?: string | null;
        };
      };
    } | null;
    answer: {
      data: Schemas['authentication-tokens'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /users/{user_id}/github-app-oauth-tokens': {
    path: {
      user_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['github-app-oauth-tokens'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'GET /users/{user_id}/passkeys': {
    path: {
      user_id: string;
    };
    answer: {
      data: readonly (Schemas['passkeys'])[];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /users/{user_id}/sessions': {
    path: {
      user_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['sessions'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'DELETE /users/{user_id}/sessions': {
    path: {
      user_id: string;
    };
    answer: void;
  };
  'GET /vars': {
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      'filter[organization][name]': string;
      'filter[workspace][name]': string;
    };
    answer: {
      data: readonly (Schemas['vars'])[];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'POST /vars': {
    body: {
      data: {
        type?: 'vars';
        attributes: {
          key: string;
          category: 'terraform' | 'env';
          value?: string | null;
          description?: string | null;
          hcl?: boolean | null;
          sensitive?: boolean | null;
          'apply-only'?: boolean | null;
        };
        relationships: {
          workspace: {
            data: {
              id: string;
            };
          };
        };
      };
    };
    answer: {
      data: Schemas['vars'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'PATCH /vars/{variable_id}': {
    path: {
      variable_id: string;
    };
    body: {
      data: {
        type?: 'vars';
        attributes?: {
          key?: string;
          category?: 'terraform' | 'env';
          value?: string | null;
          description?: string | null;
          hcl?: boolean | null;
          sensitive?: boolean | null;
          'apply-only'?: boolean | null;
        };
      };
    };
    answer: {
      data: Schemas['vars'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'DELETE /vars/{variable_id}': {
    path: {
      variable_id: string;
    };
    answer: void;
  };
  'GET /varsets/{varset_id}': {
    path: {
      varset_id: string;
    };
    query: {
      include?: string;
    };
    answer: {
      data: Schemas['varsets'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'PUT /varsets/{varset_id}': {
    path: {
      varset_id: string;
    };
    query: {
      include?: string;
    };
    body: {
      data: {
        type?: 'varsets';
        attributes?: {
          name?: string;
          description?: string | null;
          global?: boolean | null;
          priority?: boolean | null;
        };
        relationships?: {
          workspaces?: {
            data: readonly ({
              type?: 'workspaces';
              id: string;
            })[];
          };
          projects?: {
            data: readonly ({
              type?: 'projects';
              id: string;
            })[];
          };
          vars?: {
            data: readonly ({
              type?: 'vars';
              attributes: {
                key: string;
                category: 'terraform' | 'env';
                value?: string | null;
                description?: string | null;
                hcl?: boolean | null;
                sensitive?: boolean | null;
                'apply-only'?: boolean | null;
              };
            })[];
          };
        };
      };
    };
    answer: {
      data: Schemas['varsets'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'PATCH /varsets/{varset_id}': {
    path: {
      varset_id: string;
    };
    query: {
      include?: string;
    };
    body: {
      data: {
        type?: 'varsets';
        attributes?: {
          name?: string;
          description?: string | null;
          global?: boolean | null;
          priority?: boolean | null;
        };
        relationships?: {
          workspaces?: {
            data: readonly ({
              type?: 'workspaces';
              id: string;
            })[];
          };
          projects?: {
            data: readonly ({
              type?: 'projects';
              id: string;
            })[];
          };
          vars?: {
            data: readonly ({
              type?: 'vars';
              attributes: {
                key: string;
                category: 'terraform' | 'env';
                value?: string | null;
                description?: string | null;
                hcl?: boolean | null;
                sensitive?: boolean | null;
                'apply-only'?: boolean | null;
              };
            })[];
          };
        };
      };
    };
    answer: {
      data: Schemas['varsets'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'DELETE /varsets/{varset_id}': {
    path: {
      varset_id: string;
    };
    answer: void;
  };
  'POST /varsets/{varset_id}/relationships/projects': {
    path: {
      varset_id: string;
    };
    body: {
      data: readonly ({
        type?: 'projects';
        id: string;
      })[];
    };
    answer: void;
  };
  'DELETE /varsets/{varset_id}/relationships/projects': {
    path: {
      varset_id: string;
    };
    body: {
      data: readonly ({
        type?: 'projects';
        id: string;
      })[];
    };
    answer: void;
  };
  'GET /varsets/{varset_id}/relationships/vars': {
    path: {
      varset_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['vars'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'POST /varsets/{varset_id}/relationships/vars': {
    path: {
      varset_id: string;
    };
    body: {
      data: {
        type?: 'vars';
        attributes: {
          key: string;
          category: 'terraform' | 'env';
          value?: string | null;
          description?: string | null;
          hcl?: boolean | null;
          sensitive?: boolean | null;
          'apply-only'?: boolean | null;
        };
      };
    };
    answer: {
      data: Schemas['vars'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /varsets/{varset_id}/relationships/vars/{variable_id}': {
    path: {
      varset_id: string;
      variable_id: string;
    };
    answer: {
      data: Schemas['vars'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'PATCH /varsets/{varset_id}/relationships/vars/{variable_id}': {
    path: {
      varset_id: string;
      variable_id: string;
    };
    body: {
      data: {
        type?: 'vars';
        attributes?: {
          key?: string;
          category?: 'terraform' | 'env';
          value?: string | null;
          description?: string | null;
          hcl?: boolean | null;
          sensitive?: boolean | null;
          'apply-only'?: boolean | null;
        };
      };
    };
    answer: {
      data: Schemas['vars'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'DELETE /varsets/{varset_id}/relationships/vars/{variable_id}': {
    path: {
      varset_id: string;
      variable_id: string;
    };
    answer: void;
  };
  'POST /varsets/{varset_id}/relationships/workspaces': {
    path: {
      varset_id: string;
    };
    body: {
      data: readonly ({
        type?: 'workspaces';
        id: string;
      })[];
    };
    answer: void;
  };
  'DELETE /varsets/{varset_id}/relationships/workspaces': {
    path: {
      varset_id: string;
    };
    body: {
      data: readonly ({
        type?: 'workspaces';
        id: string;
      })[];
    };
    answer: void;
  };
  'GET /vcs-events/{vcs_event_id}': {
    path: {
      vcs_event_id: string;
    };
    answer: {
      data: Schemas['vcs-events'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /vcs-events/{vcs_event_id}/verdicts': {
    path: {
      vcs_event_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['vcs-verdicts'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'GET /vcs-repositories/{vcs_repository_id}': {
    path: {
      vcs_repository_id: string;
    };
    answer: {
      data: Schemas['vcs-repositories'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'POST /vcs-repositories/{vcs_repository_id}/actions/look-up': {
    path: {
      vcs_repository_id: string;
    };
    answer: {
      data: Schemas['vcs-repositories'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'POST /vcs-repositories/{vcs_repository_id}/actions/renew-webhook-secret': {
    path: {
      vcs_repository_id: string;
    };
    answer: {
      data: Schemas['vcs-repositories'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /vcs-repositories/{vcs_repository_id}/deliveries': {
    path: {
      vcs_repository_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['vcs-deliveries'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'GET /workspaces/{workspace_id}': {
    path: {
      workspace_id: string;
    };
    query: {
      include?: string;
    };
    answer: {
      data: Schemas['workspaces'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'PATCH /workspaces/{workspace_id}': {
    path: {
      workspace_id: string;
    };
    body: {
      data: {
        type: 'workspaces';
        attributes?: {
          name?: string;
          'agent-pool-id'?: string | null;
          'allow-destroy-plan'?: boolean | null;
          'assessments-enabled'?: boolean | null;
          'auto-apply'?: boolean | null;
          'auto-apply-run-trigger'?: boolean | null;
          'auto-destroy-activity-duration'?: string | null;
          'auto-destroy-at'?: string | null;
          description?: string | null;
          engine?: 'opentofu' | 'terraform' | null;
          'engine-version'?: string | null;
          'execution-mode'?: 'remote' | 'local' | 'agent' | null;
          'file-triggers-enabled'?: boolean | null;
          'global-remote-state'?: boolean | null;
          'inherits-project-auto-destroy'?: boolean | null;
          'migration-environment'?: string | null;
          operations?: boolean | null;
          'project-remote-state'?: boolean | null;
          'queue-all-runs'?: boolean | null;
          'setting-overwrites'?: {
            'execution-mode'?: boolean | null;
            'agent-pool'?: boolean | null;
          } | null;
          'source-name'?: string | null;
          'source-url'?: string | null;
          'speculative-enabled'?: boolean | null;
          'structured-run-output-enabled'?: boolean | null;
          'terraform-version'?: string | null;
          'trigger-patterns'?: readonly (string)[] | null;
          'trigger-prefixes'?: readonly (string)[] | null;
          'vcs-repo'?: {
            identifier?: string | null;
            'oauth-token-id'?: string | null;
            'github-app-installation-id'?: string | null;
            branch?: string | null;
            'ingress-submodules'?: boolean | null;
            'tags-regex'?: string | null;
          } | null;
          'working-directory'?: string | null;
        };
        relationships?: {
          project?: {
            data: {
              id?: string;
            } | null;
          };
          'tag-bindings'?: {
            data: readonly ({
              type?: 'tag-bindings';
              attributes: {
                key: string;
                value?: string | null;
              };
            })[];
          };
        };
      };
    };
    answer: {
      data: Schemas['workspaces'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'DELETE /workspaces/{workspace_id}': {
    path: {
      workspace_id: string;
    };
    answer: void;
  };
  'GET /workspaces/{workspace_id}/access-explanation': {
    path: {
      workspace_id: string;
    };
    query: {
      'filter[user][id]'?: string;
      'filter[user][username]'?: string;
      'filter[team][id]'?: string;
    };
    answer: {
      data: Schemas['access-explanations'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'POST /workspaces/{workspace_id}/actions/approve-fork': {
    path: {
      workspace_id: string;
    };
    body: {
      data: {
        type?: 'fork-approvals';
        attributes: {
          'pull-request-number': number;
          'commit-sha': string;
        };
        relationships?: Readonly<Record<string, unknown>>;
      };
    };
    answer: {
      data: Schemas['fork-approvals'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'POST /workspaces/{workspace_id}/actions/assess': {
    path: {
      workspace_id: string;
    };
    answer: {
      data: Schemas['workspaces'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'POST /workspaces/{workspace_id}/actions/force-unlock': {
    path: {
      workspace_id: string;
    };
    answer: {
      data: Schemas['workspaces'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'POST /workspaces/{workspace_id}/actions/lock': {
    path: {
      workspace_id: string;
    };
    body: {
      reason?: string | null;
      data?: {
        type?: unknown;
        attributes?: {
          reason?: string | null;
        };
      };
    } | null;
    answer: {
      data: Schemas['workspaces'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'POST /workspaces/{workspace_id}/actions/look-up': {
    path: {
      workspace_id: string;
    };
    answer: void;
  };
  'POST /workspaces/{workspace_id}/actions/retry-auto-destroy': {
    path: {
      workspace_id: string;
    };
    answer: {
      data: Schemas['workspaces'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'POST /workspaces/{workspace_id}/actions/safe-delete': {
    path: {
      workspace_id: string;
    };
    answer: void;
  };
  'POST /workspaces/{workspace_id}/actions/unlock': {
    path: {
      workspace_id: string;
    };
    answer: {
      data: Schemas['workspaces'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /workspaces/{workspace_id}/all-vars': {
    path: {
      workspace_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['vars'])[];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /workspaces/{workspace_id}/applicable-varsets': {
    path: {
      workspace_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      q?: string;
      include?: string;
    };
    answer: {
      data: readonly (Schemas['varsets'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'GET /workspaces/{workspace_id}/approval-rules': {
    path: {
      workspace_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['approval-rules'])[];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'POST /workspaces/{workspace_id}/approval-rules': {
    path: {
      workspace_id: string;
    };
    body: {
      data: {
        type?: 'approval-rules';
        attributes: {
          name: string;
          operations?: 'all' | 'destroy';
          'requester-may-approve'?: boolean;
          'required-approvals'?: number;
        };
        relationships?: {
          teams: {
            data: readonly ({
              type?: 'teams';
              id: string;
            })[];
          };
        };
      };
    };
    answer: {
      data: Schemas['approval-rules'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /workspaces/{workspace_id}/configuration-versions': {
    path: {
      workspace_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      include?: string;
    };
    answer: {
      data: readonly (Schemas['configuration-versions'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'POST /workspaces/{workspace_id}/configuration-versions': {
    path: {
      workspace_id: string;
    };
    body: {
      data?: {
        type?: unknown;
        attributes?: {
          'auto-queue-runs'?: boolean | null;
          provisional?: boolean | null;
          speculative?: boolean | null;
          'vcs-ref'?: string | null;
        };
      };
    } | null;
    answer: {
      data: Schemas['configuration-versions'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /workspaces/{workspace_id}/current-assessment-result': {
    path: {
      workspace_id: string;
    };
    answer: {
      data: Schemas['assessment-results'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /workspaces/{workspace_id}/current-state-version': {
    path: {
      workspace_id: string;
    };
    query: {
      include?: string;
    };
    answer: {
      data: Schemas['state-versions'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /workspaces/{workspace_id}/current-state-version-outputs': {
    path: {
      workspace_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['state-version-outputs'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'GET /workspaces/{workspace_id}/effective-tag-bindings': {
    path: {
      workspace_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['effective-tag-bindings'])[];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /workspaces/{workspace_id}/inherited-notification-configurations': {
    path: {
      workspace_id: string;
    };
    answer: {
      data: readonly (Schemas['notification-configurations'])[];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /workspaces/{workspace_id}/lock-events': {
    path: {
      workspace_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['lock-events'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'GET /workspaces/{workspace_id}/notification-configurations': {
    path: {
      workspace_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['notification-configurations'])[];
      included?: readonly (Schemas['Resource'])[];
      links?: Schemas['PageLinks'];
      meta?: Schemas['PageMeta'];
    };
  };
  'POST /workspaces/{workspace_id}/notification-configurations': {
    path: {
      workspace_id: string;
    };
    body: {
      data: {
        type?: 'notification-configurations';
        attributes: {
          'destination-type'?: string | null;
          digest?: {
            hour?: number;
            'time-zone'?: string;
            'waiting-hours'?: number;
          } | null;
          'email-addresses'?: readonly (string)[] | null;
          enabled?: boolean | null;
          name?: string | null;
          token?: string | null;
          triggers?: readonly (string)[] | null;
          url?: string | null;
        };
        relationships?: {
          users?: {
            data: readonly ({
              id: string;
            })[] | null;
          };
        };
      };
    };
    answer: {
      data: Schemas['notification-configurations'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /workspaces/{workspace_id}/relationships/data-retention-policy': {
    path: {
      workspace_id: string;
    };
    answer: {
      data: Schemas['data-retention-policy-delete-olders'] | Schemas['data-retention-policy-dont-deletes'] | Schemas['data-retention-policies'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'POST /workspaces/{workspace_id}/relationships/data-retention-policy': {
    path: {
      workspace_id: string;
    };
    body: {
      data: {
        type: 'data-retention-policy-delete-olders' | 'data-retention-policy-dont-deletes' | 'data-retention-policies';
        attributes?: {
          'delete-older-than-n-days'?: number | null;
          deleteOlderThanNDays?: number | null;
          'state-versions-delete-after-n-days'?: number | null;
          stateVersionsDeleteAfterNDays?: number | null;
          'configuration-versions-delete-after-n-days'?: number | null;
          configurationVersionsDeleteAfterNDays?: number | null;
          'run-data-and-logs-delete-after-n-days'?: number | null;
          runDataAndLogsDeleteAfterNDays?: number | null;
          'state-versions-keep-latest-count'?: number | null;
          stateVersionsKeepLatestCount?: number | null;
          'configuration-versions-keep-latest-count'?: number | null;
          configurationVersionsKeepLatestCount?: number | null;
          'run-data-keep-latest-count'?: number | null;
          runDataKeepLatestCount?: number | null;
          'delete-state-versions'?: boolean | null;
          deleteStateVersions?: boolean | null;
          'delete-configuration-versions'?: boolean | null;
          deleteConfigurationVersions?: boolean | null;
          'delete-run-data-and-logs'?: boolean | null;
          deleteRunDataAndLogs?: boolean | null;
        };
      };
    };
    answer: {
      data: Schemas['data-retention-policy-delete-olders'] | Schemas['data-retention-policy-dont-deletes'] | Schemas['data-retention-policies'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'PATCH /workspaces/{workspace_id}/relationships/data-retention-policy': {
    path: {
      workspace_id: string;
    };
    body: {
      data: {
        type: 'data-retention-policy-delete-olders' | 'data-retention-policy-dont-deletes' | 'data-retention-policies';
        attributes?: {
          'delete-older-than-n-days'?: number | null;
          deleteOlderThanNDays?: number | null;
          'state-versions-delete-after-n-days'?: number | null;
          stateVersionsDeleteAfterNDays?: number | null;
          'configuration-versions-delete-after-n-days'?: number | null;
          configurationVersionsDeleteAfterNDays?: number | null;
          'run-data-and-logs-delete-after-n-days'?: number | null;
          runDataAndLogsDeleteAfterNDays?: number | null;
          'state-versions-keep-latest-count'?: number | null;
          stateVersionsKeepLatestCount?: number | null;
          'configuration-versions-keep-latest-count'?: number | null;
          configurationVersionsKeepLatestCount?: number | null;
          'run-data-keep-latest-count'?: number | null;
          runDataKeepLatestCount?: number | null;
          'delete-state-versions'?: boolean | null;
          deleteStateVersions?: boolean | null;
          'delete-configuration-versions'?: boolean | null;
          deleteConfigurationVersions?: boolean | null;
          'delete-run-data-and-logs'?: boolean | null;
          deleteRunDataAndLogs?: boolean | null;
        };
      };
    };
    answer: {
      data: Schemas['data-retention-policy-delete-olders'] | Schemas['data-retention-policy-dont-deletes'] | Schemas['data-retention-policies'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'DELETE /workspaces/{workspace_id}/relationships/data-retention-policy': {
    path: {
      workspace_id: string;
    };
    answer: void;
  };
  'GET /workspaces/{workspace_id}/relationships/remote-state-consumers': {
    path: {
      workspace_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      show_only_configured?: 'true' | 'false';
    };
    answer: {
      data: readonly (Schemas['workspaces'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'POST /workspaces/{workspace_id}/relationships/remote-state-consumers': {
    path: {
      workspace_id: string;
    };
    body: {
      data: readonly ({
        type?: 'workspaces';
        id: string;
      })[];
    };
    answer: void;
  };
  'PATCH /workspaces/{workspace_id}/relationships/remote-state-consumers': {
    path: {
      workspace_id: string;
    };
    body: {
      data: readonly ({
        type?: 'workspaces';
        id: string;
      })[];
    };
    answer: void;
  };
  'DELETE /workspaces/{workspace_id}/relationships/remote-state-consumers': {
    path: {
      workspace_id: string;
    };
    body: {
      data: readonly ({
        type?: 'workspaces';
        id: string;
      })[];
    };
    answer: void;
  };
  'PATCH /workspaces/{workspace_id}/relationships/ssh-key': {
    path: {
      workspace_id: string;
    };
    body: {
      data: {
        type?: 'workspaces' | 'ssh-keys';
        id?: string;
        attributes?: {
          id?: string | null;
        };
      } | null;
    };
    answer: {
      data: Schemas['workspaces'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /workspaces/{workspace_id}/relationships/tag-bindings': {
    path: {
      workspace_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['tag-bindings'])[];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'POST /workspaces/{workspace_id}/relationships/tag-bindings': {
    path: {
      workspace_id: string;
    };
    body: {
      data: readonly ({
        type?: 'tag-bindings';
        attributes: {
          key: string;
          value?: string | null;
        };
      })[];
    };
    answer: void;
  };
  'PATCH /workspaces/{workspace_id}/relationships/tag-bindings': {
    path: {
      workspace_id: string;
    };
    body: {
      data: readonly ({
        type?: 'tag-bindings';
        attributes: {
          key: string;
          value?: string | null;
        };
      })[];
    };
    answer: void;
  };
  'GET /workspaces/{workspace_id}/relationships/tags': {
    path: {
      workspace_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      name?: string;
    };
    answer: {
      data: readonly (Schemas['tags'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'POST /workspaces/{workspace_id}/relationships/tags': {
    path: {
      workspace_id: string;
    };
    body: {
      data: readonly ({
        type: 'tags';
        id?: string;
        attributes?: {
          name?: string;
        };
      })[];
    };
    answer: void;
  };
  'DELETE /workspaces/{workspace_id}/relationships/tags': {
    path: {
      workspace_id: string;
    };
    body: {
      data: readonly ({
        type: 'tags';
        id?: string;
        attributes?: {
          name?: string;
        };
      })[];
    };
    answer: void;
  };
  'PATCH /workspaces/{workspace_id}/relationships/vars': {
    path: {
      workspace_id: string;
    };
    body: {
      data: readonly ({
        type?: 'vars';
        id?: string;
        attributes?: {
          key?: string;
          category?: 'terraform' | 'env';
          value?: string | null;
          description?: string | null;
          hcl?: boolean | null;
          sensitive?: boolean | null;
          'apply-only'?: boolean | null;
        };
      })[];
    };
    answer: void;
  };
  'GET /workspaces/{workspace_id}/resources': {
    path: {
      workspace_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      q?: string;
      'filter[address]'?: string;
      'filter[module]'?: string;
      'filter[provider]'?: string;
      'filter[type]'?: string;
    };
    answer: {
      data: readonly (Schemas['resources'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'GET /workspaces/{workspace_id}/run-triggers': {
    path: {
      workspace_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      include?: string;
      'filter[run-trigger][type]': 'inbound' | 'outbound';
    };
    answer: {
      data: readonly (Schemas['run-triggers'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'POST /workspaces/{workspace_id}/run-triggers': {
    path: {
      workspace_id: string;
    };
    body: {
      data: {
        type?: unknown;
        relationships: {
          sourceable: {
            data: {
              type?: 'workspaces';
              id: string;
            };
          };
        };
      };
    };
    answer: {
      data: Schemas['run-triggers'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /workspaces/{workspace_id}/runs': {
    path: {
      workspace_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      include?: string;
      'search[user]'?: string;
      'search[commit]'?: string;
      'search[basic]'?: string;
      'filter[operation]'?: string;
      'filter[status]'?: string;
      'filter[source]'?: string;
      'filter[status_group]'?: string;
      'filter[timeframe]'?: string;
      'filter[agent_pool_names]'?: string;
      'filter[workspace_names]'?: string;
    };
    answer: {
      data: readonly (Schemas['runs'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'GET /workspaces/{workspace_id}/schedules': {
    path: {
      workspace_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['schedules'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'POST /workspaces/{workspace_id}/schedules': {
    path: {
      workspace_id: string;
    };
    body: {
      data: {
        type?: 'schedules';
        attributes: {
          name: string;
          operation: 'plan' | 'apply' | 'refresh' | 'drift';
          cron: string;
          'time-zone'?: string;
          jitter?: number;
          'when-busy'?: 'skip' | 'queue';
          paused?: boolean;
        };
      };
    };
    answer: {
      data: Schemas['schedules'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'POST /workspaces/{workspace_id}/state-versions': {
    path: {
      workspace_id: string;
    };
    body: {
      data: {
        type?: 'state-versions';
        attributes: {
          intermediate?: boolean | null;
          lineage?: string | null;
          md5: string;
          serial: number;
          force?: boolean | null;
          state?: string | null;
          'json-state'?: string | null;
          'json-state-outputs'?: string | null;
        };
        relationships?: {
          run?: {
            data: {
              id: string;
            } | null;
          };
        };
      };
    };
    answer: {
      data: Schemas['state-versions'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'PATCH /workspaces/{workspace_id}/state-versions': {
    path: {
      workspace_id: string;
    };
    body: {
      data: {
        type?: 'state-versions';
        relationships: {
          'rollback-state-version': {
            data: {
              id: string;
            };
          };
        };
      };
    };
    answer: {
      data: Schemas['state-versions'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /workspaces/{workspace_id}/tag-bindings': {
    path: {
      workspace_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['tag-bindings'])[];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'PATCH /workspaces/{workspace_id}/tag-bindings': {
    path: {
      workspace_id: string;
    };
    body: {
      data: readonly ({
        type?: 'tag-bindings';
        attributes: {
          key: string;
          value?: string | null;
        };
      })[];
    };
    answer: {
      data: readonly (Schemas['tag-bindings'])[];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /workspaces/{workspace_id}/tasks': {
    path: {
      workspace_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['workspace-tasks'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'POST /workspaces/{workspace_id}/tasks': {
    path: {
      workspace_id: string;
    };
    body: {
      data: {
        type?: 'workspace-tasks';
        attributes?: {
          'enforcement-level'?: 'advisory' | 'mandatory' | null;
          stage?: 'pre_plan' | 'post_plan' | 'pre_apply' | 'post_apply' | null;
          stages?: readonly ('pre_plan' | 'post_plan' | 'pre_apply' | 'post_apply')[] | null;
        };
        relationships: {
          task: {
            data: {
              id: string;
            };
          };
        };
      };
    };
    answer: {
      data: Schemas['workspace-tasks'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /workspaces/{workspace_id}/tasks/{workspace_task_id}': {
    path: {
      workspace_id: string;
      workspace_task_id: string;
    };
    answer: {
      data: Schemas['workspace-tasks'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'PATCH /workspaces/{workspace_id}/tasks/{workspace_task_id}': {
    path: {
      workspace_id: string;
      workspace_task_id: string;
    };
    body: {
      data: {
        type?: 'workspace-tasks';
        attributes?: {
          'enforcement-level'?: 'advisory' | 'mandatory' | null;
          stage?: 'pre_plan' | 'post_plan' | 'pre_apply' | 'post_apply' | null;
          stages?: readonly ('pre_plan' | 'post_plan' | 'pre_apply' | 'post_apply')[] | null;
        };
        relationships?: Readonly<Record<string, unknown>>;
      };
    };
    answer: {
      data: Schemas['workspace-tasks'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'DELETE /workspaces/{workspace_id}/tasks/{workspace_task_id}': {
    path: {
      workspace_id: string;
      workspace_task_id: string;
    };
    answer: void;
  };
  'GET /workspaces/{workspace_id}/vars': {
    path: {
      workspace_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['vars'])[];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'POST /workspaces/{workspace_id}/vars': {
    path: {
      workspace_id: string;
    };
    body: {
      data: {
        type?: 'vars';
        attributes: {
          key: string;
          category: 'terraform' | 'env';
          value?: string | null;
          description?: string | null;
          hcl?: boolean | null;
          sensitive?: boolean | null;
          'apply-only'?: boolean | null;
        };
      };
    };
    answer: {
      data: Schemas['vars'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /workspaces/{workspace_id}/vars/{variable_id}': {
    path: {
      workspace_id: string;
      variable_id: string;
    };
    answer: {
      data: Schemas['vars'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'PATCH /workspaces/{workspace_id}/vars/{variable_id}': {
    path: {
      workspace_id: string;
      variable_id: string;
    };
    body: {
      data: {
        type?: 'vars';
        attributes?: {
          key?: string;
          category?: 'terraform' | 'env';
          value?: string | null;
          description?: string | null;
          hcl?: boolean | null;
          sensitive?: boolean | null;
          'apply-only'?: boolean | null;
        };
      };
    };
    answer: {
      data: Schemas['vars'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'DELETE /workspaces/{workspace_id}/vars/{variable_id}': {
    path: {
      workspace_id: string;
      variable_id: string;
    };
    answer: void;
  };
  'GET /workspaces/{workspace_id}/varsets': {
    path: {
      workspace_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
      q?: string;
      include?: string;
    };
    answer: {
      data: readonly (Schemas['varsets'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'GET /workspaces/{workspace_id}/vcs-events': {
    path: {
      workspace_id: string;
    };
    query: {
      'page[number]'?: string;
      'page[size]'?: string;
    };
    answer: {
      data: readonly (Schemas['vcs-events'])[];
      included?: readonly (Schemas['Resource'])[];
      links: Schemas['PageLinks'];
      meta: Schemas['PageMeta'];
    };
  };
  'GET /workspaces/{workspace_id}/vcs-explanation': {
    path: {
      workspace_id: string;
    };
    query: {
      commit?: string;
      branch?: string;
      tag?: string;
      pull?: string;
    };
    answer: {
      data: Schemas['vcs-explanations'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /workspaces/{workspace_id}/vcs-link': {
    path: {
      workspace_id: string;
    };
    answer: {
      data: Schemas['vcs-links'];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'GET /workspaces/{workspace_id}/vcs-preview': {
    path: {
      workspace_id: string;
    };
    query: {
      count?: string;
    };
    answer: {
      data: readonly (Schemas['vcs-previews'])[];
      included?: readonly (Schemas['Resource'])[];
    };
  };
  'POST /workspaces/{workspace_id}/vcs-preview': {
    path: {
      workspace_id: string;
    };
    query: {
      count?: string;
    };
    body: {
      data: {
        type?: 'workspaces';
        attributes: {
          'file-triggers-enabled'?: boolean | null;
          'trigger-patterns'?: readonly (string)[] | null;
          'trigger-prefixes'?: readonly (string)[] | null;
          'vcs-repo'?: {
            branch?: string | null;
            'tags-regex'?: string | null;
          };
          'working-directory'?: string | null;
        };
        relationships?: Readonly<Record<string, unknown>>;
      };
    };
    answer: {
      data: readonly (Schemas['vcs-previews'])[];
      included?: readonly (Schemas['Resource'])[];
    };
  };
}
