import { Type } from 'typebox';
import { nullable, text } from '../../jsonapi/schema.ts';
import { attribute, is, resourceOf } from '../../resource/index.ts';
import type { ScimGroup } from './group-store.ts';
import type { ScimSettings } from './settings.ts';

const flag = { update: Type.Optional(is.flag) };

/** The only settings of the directory. */
export const ScimSettingsResource = resourceOf<ScimSettings>()('scim-settings', {
  attributes: {
    enabled: attribute(is.flag, 'enabled', flag),
    paused: attribute(is.flag, 'paused', flag),
    'site-admin-group-scim-id': attribute(is.textOrNull, 'siteAdminGroupId', {
      update: Type.Optional(nullable(text(100))),
    }),
    'site-admin-group-display-name': attribute(is.textOrNull, 'siteAdminGroupName'),
  },
  id: () => 'scim',
});

/** A group of the directory. */
export const ScimGroupResource = resourceOf<ScimGroup>()('scim-groups', {
  attributes: { name: attribute(is.text, 'displayName') },
});
