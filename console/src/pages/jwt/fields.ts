import { type FieldGroups, field, TOKEN_FIELDS } from '../../components/role/fields.ts';
import * as texts from './texts.ts';

const CLAIMS = texts.claimNamesOrJson;

/** Fields of a role with the API's names. Rare fields can be set with `lockkeeper write`. */
export const GROUPS: FieldGroups = [
  [
    texts.acceptedTokens,
    [
      field('lines', 'bound_audiences', texts.theAudClaimMust),
      field('text', 'bound_subject', texts.requiredValueOfSub),
      field('claims', 'bound_claims', texts.claimValueOrSeveral(CLAIMS)),
      {
        ...field('choice', 'bound_claims_type', texts.whetherInBoundClaims),
        options: [
          ['string', texts.stringExactMatch],
          ['glob', texts.globMatchesAnyCharacters],
        ],
      },
    ],
  ],
  [
    texts.identity,
    [
      field('text', 'user_claim', texts.claimThatNamesThe),
      field('flag', 'user_claim_json_pointer', texts.userClaimIsA),
      field('text', 'groups_claim', texts.claimThatNamesExternalGroups),
      field('claims', 'claim_mappings', texts.claimKeyInThe(CLAIMS)),
    ],
  ],
  [
    texts.clockTolerance,
    [
      field('number', 'clock_skew_leeway', texts.seconds0OneMinute),
      field('number', 'expiration_leeway', texts.forTokensWithoutExp),
      field('number', 'not_before_leeway', texts.forTokensWithoutNbf),
    ],
  ],
  [
    texts.token,
    [
      ...TOKEN_FIELDS,
      field('number', 'token_period', texts.secondsAPeriodicToken),
      field('number', 'token_num_uses', texts.numberOfRequests0Unlimited),
      field('flag', 'token_no_default_policy', texts.omitsThePolicyNamedDefault),
    ],
  ],
];
