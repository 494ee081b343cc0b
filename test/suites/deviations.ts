import type { SuiteName } from './suite.ts';

/** Cases of one kind with another outcome than the suite expects, and the reason. */
export interface Deviation {
  readonly reason: string;
  readonly cases: readonly string[];
}

interface Deviations {
  /** Accepted, although the suite expects a refusal. */
  readonly accepted: readonly Deviation[];
  /** Accepted, because CRLs are not part of path validation: the suite expects a refusal because of one. */
  readonly acceptedWithoutRevocation: readonly string[];
  /** Refused, although the suite expects an acceptance. */
  readonly refused: readonly Deviation[];
}

/** All deviations of path validation from a public suite. A test checks that every other case agrees. */
export const DEVIATIONS: Readonly<Record<SuiteName, Deviations>> = {
  limbo: {
    accepted: [
      {
        reason: 'key identifiers help to find an issuer; whether they are there, and in which form, secures nothing',
        cases: [
          'rfc5280::aki::leaf-missing-aki',
          'rfc5280::aki::intermediate-missing-aki',
          'rfc5280::aki::cross-signed-root-missing-aki',
          'rfc5280::ski::root-missing-ski',
          'rfc5280::ski::intermediate-missing-ski',
          'webpki::aki::root-with-aki-missing-keyidentifier',
          'webpki::aki::root-with-aki-authoritycertissuer',
          'webpki::aki::root-with-aki-authoritycertserialnumber',
          'webpki::aki::root-with-aki-all-fields',
          'webpki::aki::root-with-aki-ski-mismatch',
        ],
      },
      {
        reason: 'basic and name constraints are enforced whether they are marked critical or not',
        cases: ['rfc5280::root-non-critical-basic-constraints', 'rfc5280::nc::permitted-dns-match-noncritical'],
      },
      {
        reason:
          'a DNS constraint with a leading dot is every name below the host, as Go and OpenSSL take it: CAs write them',
        cases: ['rfc5280::nc::invalid-dnsname-leading-period'],
      },
      {
        reason: 'name constraints in a certificate that issues nothing constrain nothing',
        cases: ['rfc5280::nc::not-allowed-in-ee-noncritical', 'rfc5280::nc::not-allowed-in-ee-critical'],
      },
      {
        reason:
          'a serial number is an identifier: home-made authorities number from zero, or with more than twenty bytes',
        cases: ['rfc5280::serial::too-long', 'rfc5280::serial::zero'],
      },
      {
        reason: 'alternative names count the same whether they are marked critical or not',
        cases: ['rfc5280::san::noncritical-with-empty-subject', 'webpki::san::san-critical-with-nonempty-subject'],
      },
      { reason: 'internal host names have underscores', cases: ['rfc5280::san::underscore-dns'] },
      {
        reason: 'profile of the public web: a common name need not be an alternative name too',
        cases: [
          'webpki::cn::ipv4-hex-mismatch',
          'webpki::cn::ipv4-leading-zeros-mismatch',
          'webpki::cn::ipv6-uppercase-mismatch',
          'webpki::cn::ipv6-uncompressed-mismatch',
          'webpki::cn::ipv6-non-rfc5952-mismatch',
          'webpki::cn::punycode-not-in-san',
          'webpki::cn::utf8-vs-punycode-mismatch',
          'webpki::cn::not-in-san',
          'webpki::cn::case-mismatch',
        ],
      },
      {
        reason:
          'profile of the public web: extended key usage may be absent, critical, any, or in an anchor (and is enforced)',
        cases: [
          'webpki::eku::ee-anyeku',
          'webpki::eku::ee-critical-eku',
          'webpki::eku::ee-without-eku',
          'webpki::eku::root-has-eku',
        ],
      },
      {
        reason: 'profile of the public web: a private authority has no public suffixes',
        cases: [
          'webpki::san::public-suffix-multi-label-wildcard-san',
          'webpki::san::public-suffix-private-namespace-wildcard-san',
        ],
      },
      {
        reason: 'profile of the public web: authority information access is not read in path validation',
        cases: ['webpki::malformed-aia'],
      },
      {
        reason:
          'profile of the public web: an RSA modulus of 2048 bits or more need not be a whole number of bytes long',
        cases: [
          'webpki::forbidden-rsa-not-divisible-by-8-in-root',
          'webpki::forbidden-rsa-key-not-divisible-by-8-in-leaf',
        ],
      },
      {
        reason: 'profile of the public web: an authority may log in with its own certificate',
        cases: ['webpki::ee-basicconstraints-ca', 'webpki::ca-as-leaf'],
      },
    ],
    acceptedWithoutRevocation: [
      'crl::revoked-certificate-with-crl',
      'crl::crlnumber-missing',
      'crl::crlnumber-critical',
      'crl::issuer-missing-crlsign',
    ],
    refused: [],
  },
  pkits: {
    accepted: [],
    acceptedWithoutRevocation: [
      'pkits::s04-BasicCertificateRevocationTests::4.4.1-MissingCRLTest1',
      'pkits::s04-BasicCertificateRevocationTests::4.4.2-InvalidRevokedCATest2',
      'pkits::s04-BasicCertificateRevocationTests::4.4.3-InvalidRevokedEETest3',
      'pkits::s04-BasicCertificateRevocationTests::4.4.4-InvalidBadCRLSignatureTest4',
      'pkits::s04-BasicCertificateRevocationTests::4.4.5-InvalidBadCRLIssuerNameTest5',
      'pkits::s04-BasicCertificateRevocationTests::4.4.6-InvalidWrongCRLTest6',
      'pkits::s04-BasicCertificateRevocationTests::4.4.8-InvalidUnknownCRLEntryExtensionTest8',
      'pkits::s04-BasicCertificateRevocationTests::4.4.9-InvalidUnknownCRLExtensionTest9',
      'pkits::s04-BasicCertificateRevocationTests::4.4.10-InvalidUnknownCRLExtensionTest10',
      'pkits::s04-BasicCertificateRevocationTests::4.4.11-InvalidOldCRLnextUpdateTest11',
      'pkits::s04-BasicCertificateRevocationTests::4.4.12-Invalidpre2000CRLnextUpdateTest12',
      'pkits::s04-BasicCertificateRevocationTests::4.4.18-InvalidLongSerialNumberTest18',
      'pkits::s04-BasicCertificateRevocationTests::4.4.20-InvalidSeparateCertificateandCRLKeysTest20',
      'pkits::s04-BasicCertificateRevocationTests::4.4.21-InvalidSeparateCertificateandCRLKeysTest21',
      'pkits::s05-VerifyingPathswithSelfIssuedCertificates::4.5.2-InvalidBasicSelfIssuedOldWithNewTest2',
      'pkits::s05-VerifyingPathswithSelfIssuedCertificates::4.5.5-InvalidBasicSelfIssuedNewWithOldTest5',
      'pkits::s05-VerifyingPathswithSelfIssuedCertificates::4.5.7-InvalidBasicSelfIssuedCRLSigningKeyTest7',
      'pkits::s07-KeyUsage::4.7.4-InvalidkeyUsageCriticalcRLSignFalseTest4',
      'pkits::s07-KeyUsage::4.7.5-InvalidkeyUsageNotCriticalcRLSignFalseTest5',
      'pkits::s14-DistributionPoints::4.14.2-InvaliddistributionPointTest2',
      'pkits::s14-DistributionPoints::4.14.3-InvaliddistributionPointTest3',
      'pkits::s14-DistributionPoints::4.14.6-InvaliddistributionPointTest6',
      'pkits::s14-DistributionPoints::4.14.8-InvaliddistributionPointTest8',
      'pkits::s14-DistributionPoints::4.14.9-InvaliddistributionPointTest9',
      'pkits::s14-DistributionPoints::4.14.11-InvalidonlyContainsUserCertsCRLTest11',
      'pkits::s14-DistributionPoints::4.14.12-InvalidonlyContainsCACertsCRLTest12',
      'pkits::s14-DistributionPoints::4.14.14-InvalidonlyContainsAttributeCertsTest14',
      'pkits::s14-DistributionPoints::4.14.15-InvalidonlySomeReasonsTest15',
      'pkits::s14-DistributionPoints::4.14.16-InvalidonlySomeReasonsTest16',
      'pkits::s14-DistributionPoints::4.14.17-InvalidonlySomeReasonsTest17',
      'pkits::s14-DistributionPoints::4.14.20-InvalidonlySomeReasonsTest20',
      'pkits::s14-DistributionPoints::4.14.21-InvalidonlySomeReasonsTest21',
      'pkits::s14-DistributionPoints::4.14.23-InvalidIDPwithindirectCRLTest23',
      'pkits::s14-DistributionPoints::4.14.26-InvalidIDPwithindirectCRLTest26',
      'pkits::s14-DistributionPoints::4.14.27-InvalidcRLIssuerTest27',
      'pkits::s14-DistributionPoints::4.14.31-InvalidcRLIssuerTest31',
      'pkits::s14-DistributionPoints::4.14.32-InvalidcRLIssuerTest32',
      'pkits::s14-DistributionPoints::4.14.34-InvalidcRLIssuerTest34',
      'pkits::s14-DistributionPoints::4.14.35-InvalidcRLIssuerTest35',
      'pkits::s15-DeltaCRLs::4.15.1-InvaliddeltaCRLIndicatorNoBaseTest1',
      'pkits::s15-DeltaCRLs::4.15.3-InvaliddeltaCRLTest3',
      'pkits::s15-DeltaCRLs::4.15.4-InvaliddeltaCRLTest4',
      'pkits::s15-DeltaCRLs::4.15.6-InvaliddeltaCRLTest6',
      'pkits::s15-DeltaCRLs::4.15.9-InvaliddeltaCRLTest9',
      'pkits::s15-DeltaCRLs::4.15.10-InvaliddeltaCRLTest10',
    ],
    refused: [
      {
        reason: 'DSA is no longer in use and not supported',
        cases: [
          'pkits::s01-SignatureVerification::4.1.4-ValidDSASignaturesTest4',
          'pkits::s01-SignatureVerification::4.1.5-ValidDSAParameterInheritanceTest5',
        ],
      },
    ],
  },
  bettertls: { accepted: [], acceptedWithoutRevocation: [], refused: [] },
};
