// As the package's README says.
export default { optimizeDeps: { exclude: ['attention-live'] } };
