/** Texts of the run tasks component. */
export const texts = {
  beforeThePlan: 'before the plan',
  afterThePlan: 'after the plan',
  beforeTheApply: 'before the apply',
  afterTheApplyAdvisoryOnly: 'after the apply (advisory only)',
  advisoryTheResultIs: 'advisory: the result is shown with the run',
  mandatoryAFailedResult: 'mandatory: a failed result stops the run',
  stages: 'Stages',
  enforcementLevel: 'Enforcement level',
};
