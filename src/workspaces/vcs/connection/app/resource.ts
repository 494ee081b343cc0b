import { attribute, is, resourceOf, time, toOne } from '../../../resource/index.ts';
import { HEALTH_ATTRIBUTES } from '../health/attributes.ts';
import { installUrl } from '../sign-in/pages.ts';
import type { AppAccount, LinkedInstallation, OrganizationApp } from './app.ts';
import { APP_PAGE } from './apps.ts';

/** A GitHub App of an organization, without its secrets. */
export const AppResource = resourceOf<OrganizationApp>()('github-apps', {
  attributes: {
    name: attribute(is.text, 'name'),
    slug: attribute(is.text, 'slug'),
    'http-url': attribute(is.text, 'httpUrl'),
    'created-at': time('createdAt'),
    'install-url': attribute(is.text, installUrl),
    'connect-path': attribute(
      is.text,
      ({ organizationName }) => `${APP_PAGE}?${new URLSearchParams({ organization_id: organizationName })}`,
    ),
  },
  relationships: { organization: toOne('organizations', 'organizationName') },
  links: ({ organizationName }) => ({ self: `/api/v2/organizations/${organizationName}/github-app` }),
});

/** An installation of a GitHub App that a user has linked to the organization. */
export const InstallationResource = resourceOf<LinkedInstallation>()('github-app-installations', {
  attributes: {
    name: attribute(is.text, 'account'),
    'installation-id': attribute(is.integer, 'installationId'),
    'icon-url': attribute(is.text, 'iconUrl'),
    'installation-type': attribute(is.text, 'accountType'),
    'installation-url': attribute(is.text, 'installationUrl'),
    ...HEALTH_ATTRIBUTES,
    'affected-workspaces-count': attribute(is.integer, 'workspaces'),
  },
  relationships: { organization: toOne('organizations', 'organizationName') },
  links: ({ id }) => ({ self: `/api/v2/github-app/installation/${id}` }),
});

/** A GitHub account that a user has proved to have. */
export const AppAccountResource = resourceOf<AppAccount>()('github-app-oauth-tokens', {
  attributes: { 'created-at': time('createdAt'), 'github-username': attribute(is.text, 'name') },
  relationships: { user: toOne('users', 'userId') },
});
