import type { PageGroup } from '../../support/console.ts';
import { hostile, makeOf } from '../../support/organization.ts';

/** Version control of an organization. Pages with data of a provider are checked in test/console/version-control. */
const pages: PageGroup = {
  name: 'version control',
  async prepare(on) {
    const make = makeOf(on);
    const connection = await make('/organizations/acme/oauth-clients', 'oauth-clients', {
      ...{ name: hostile.padEnd(200, 'x'), 'service-provider': 'gitlab_enterprise_edition' },
      ...{ 'http-url': 'https://gitlab.example.com', 'api-url': 'https://gitlab.example.com/api/v4' },
      ...{ 'oauth-token-string': 'token', 'organization-scoped': false, 'allowed-repositories': ['acme/*'] },
    });
    const later = await make('/organizations/acme/oauth-clients', 'oauth-clients', {
      ...{ 'service-provider': 'gitea', 'http-url': 'https://gitea.example.com', 'credential-later': true },
      'api-url': 'https://gitea.example.com/api/v1',
    });
    const at = '/acme/settings/version-control';
    const ofServer = 'http=https://gitea.example.com&api=https://gitea.example.com/api/v1';
    return [
      at,
      `${at}/events`,
      `${at}/pull-requests`,
      `${at}/${connection}`,
      `${at}/new`,
      `${at}/new?provider=gitea&step=2`,
      `${at}/new?provider=gitea&step=3&${ofServer}`,
      `${at}/new?provider=gitea&step=3&way=oauth&${ofServer}`,
      `${at}/new?provider=gitea&step=3&way=oauth&connection=${later}&${ofServer}`,
      `${at}/new?provider=github&step=3&http=https://github.com&api=https://api.github.com`,
      `${at}/new?provider=gitea&step=4&connection=${connection}&${ofServer}`,
    ];
  },
};

export default pages;
