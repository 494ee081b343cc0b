import type { EngineKind } from '../../tenancy/index.ts';

/**
 * Last patch of each minor release; all earlier patches exist too. Operators add newer releases in the configuration.
 */
export const LAST_PATCHES: Readonly<Record<EngineKind, Readonly<Record<string, number>>>> = {
  opentofu: { '1.6': 3, '1.7': 10, '1.8': 11, '1.9': 4, '1.10': 10, '1.11': 14, '1.12': 6 },
  terraform: {
    ...{ '0.11': 15, '0.12': 31, '0.13': 7, '0.14': 11, '0.15': 5 },
    ...{ '1.0': 11, '1.1': 9, '1.2': 9, '1.3': 10, '1.4': 7, '1.5': 7, '1.6': 6, '1.7': 5, '1.8': 5, '1.9': 8 },
    ...{ '1.10': 5, '1.11': 4, '1.12': 2, '1.13': 5, '1.14': 9, '1.15': 8, '1.16': 3 },
  },
};

/** First release of OpenTofu. Older versions are Terraform. */
export const FIRST_OPENTOFU = [1, 6, 0] as const;
