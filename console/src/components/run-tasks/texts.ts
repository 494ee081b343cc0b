/** Texts of the run tasks component. */
export const beforeThePlan = 'before the plan';
export const afterThePlan = 'after the plan';
export const beforeTheApply = 'before the apply';
export const afterTheApplyAdvisoryOnly = 'after the apply (advisory only)';
export const advisoryTheResultIs = 'advisory: the result is shown with the run';
export const mandatoryAFailedResult = 'mandatory: a failed result stops the run';
export const stages = 'Stages';
export const enforcementLevel = 'Enforcement level';
