#include "training/optimizer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "fixture_file.hpp"
#include "numbers.hpp"

namespace training {
namespace {

using tensor::Tensor;
using test::Array;
using test::expect_close;
using test::expect_values;
using test::Numbers;

/// What torch.optim did with a value and twenty gradients: tests/fixtures/make_training_fixtures.py
struct Fixture {
  std::map<std::string, Tensor> tensors;
  float learning_rate = 0.0F;
  float later_learning_rate = 0.0F;
};

Fixture read_fixture(const std::string& name) {
  test::FixtureFile file = test::fixture_file("optimizer_" + name);
  Fixture fixture;
  fixture.tensors = std::move(file.tensors);
  for (const auto& [key, value] : file.metadata)
    (key == "learning_rate" ? fixture.learning_rate : fixture.later_learning_rate) =
        file.number(key);
  return fixture;
}

/// Holds twenty steps against PyTorch's, to about the rounding of one operation.
void expect_as_pytorch(Method method, const std::string& name) {
  Fixture fixture = read_fixture(name);
  constexpr std::size_t steps = 20;
  ASSERT_EQ(fixture.tensors.size(), 1 + 2 * steps);
  std::vector<Parameter> parameters = {{.value = fixture.tensors["value"]}};
  for (std::size_t number = 1; number <= steps; ++number) {
    const std::string place = "." + std::to_string(number);
    const std::vector<Tensor> gradients = {fixture.tensors["gradient" + place]};
    step(method, parameters, gradients,
         number > steps / 2 ? fixture.later_learning_rate : fixture.learning_rate, number);
    expect_close(parameters[0].value, Array(fixture.tensors["expected" + place]), 1e-6,
                 name + place);
  }
}

TEST(Optimizer, SgdIsPyTorchs) { expect_as_pytorch(Method::sgd, "sgd"); }
TEST(Optimizer, MomentumIsPyTorchs) { expect_as_pytorch(Method::momentum, "momentum"); }
TEST(Optimizer, AdamIsPyTorchs) { expect_as_pytorch(Method::adam, "adam"); }

constexpr Method all_methods[] = {Method::sgd, Method::momentum, Method::adam};

TEST(Optimizer, NewNumbersAreInNewTensors) {
  for (const Method method : all_methods) {
    const Tensor before({2, 2}, {1.0F, 2.0F, 3.0F, 4.0F});
    std::vector<Parameter> parameters = {{.value = before}};
    const std::vector<Tensor> gradients = {Tensor::full({2, 2}, 0.5F)};
    step(method, parameters, gradients, 0.1F, 1);
    const Parameter kept = parameters[0];
    const std::vector<float> values = kept.value.values();
    const std::vector<float> means = kept.mean.defined() ? kept.mean.values() : values;
    step(method, parameters, gradients, 0.1F, 2);
    expect_values(before, {1.0F, 2.0F, 3.0F, 4.0F});
    expect_values(kept.value, values);
    if (kept.mean.defined()) expect_values(kept.mean, means);
    EXPECT_FALSE(parameters[0].value.shares_storage_with(kept.value));
  }
}

// Gradients of views are views: a transposed one has other strides than the weight.
TEST(Optimizer, TakesTensorsOfAnyStrides) {
  Numbers numbers(3);
  const Tensor value = numbers.tensor({4, 3});
  const Tensor gradient = numbers.tensor({3, 4});
  for (const Method method : all_methods) {
    std::vector<Parameter> plain = {{.value = value}};
    std::vector<Parameter> turned = {{.value = value.transpose(0, 1).clone().transpose(0, 1)}};
    step(method, plain, std::vector{gradient.transpose(0, 1).clone()}, 0.1F, 1);
    step(method, turned, std::vector{gradient.transpose(0, 1)}, 0.1F, 1);
    EXPECT_TRUE(plain[0].value.has_same_bits(turned[0].value));
  }
}

TEST(Optimizer, AParameterWithoutGradientStays) {
  for (const Method method : all_methods) {
    std::vector<Parameter> parameters = {{.value = Tensor::full({2}, 1.0F)},
                                         {.value = Tensor::full({3}, 1.0F)}};
    const Tensor first = parameters[0].value;
    step(method, parameters, std::vector{Tensor(), Tensor::full({3}, 1.0F)}, 0.1F, 1);
    EXPECT_TRUE(parameters[0].value.is_same_view(first));
    EXPECT_FALSE(parameters[0].mean.defined());
    EXPECT_NE(parameters[1].value.at({0}), 1.0F);
  }
}

// Where training went wrong is found by looking at the weights: they must not hide it.
TEST(Optimizer, AGradientThatIsNotFiniteShowsInTheWeight) {
  for (const Method method : all_methods) {
    std::vector<Parameter> parameters = {{.value = Tensor::full({2}, 1.0F)}};
    const float nan = std::numeric_limits<float>::quiet_NaN();
    step(method, parameters, std::vector{Tensor({2}, {nan, 1.0F})}, 0.1F, 1);
    EXPECT_TRUE(std::isnan(parameters[0].value.at({0})));
    EXPECT_TRUE(std::isfinite(parameters[0].value.at({1})));
  }
}

TEST(Optimizer, AdamsFirstStepIsTheLearningRate) {
  std::vector<Parameter> parameters = {{.value = Tensor({3}, {0.0F, 0.0F, 0.0F})}};
  step(Method::adam, parameters, std::vector{Tensor({3}, {1e-3F, -50.0F, 0.0F})}, 0.01F, 1);
  EXPECT_NEAR(parameters[0].value.at({0}), -0.01F, 1e-6F);
  EXPECT_NEAR(parameters[0].value.at({1}), 0.01F, 1e-6F);
  EXPECT_EQ(parameters[0].value.at({2}), 0.0F);
}

TEST(Optimizer, LearningRateWarmsUpAndDecays) {
  // Computed from the formula of the paper, for its own d_model and warm-up.
  EXPECT_NEAR(warmup_then_decay(1, 512, 4000), 1.746928e-7, 1e-12);
  EXPECT_NEAR(warmup_then_decay(4000, 512, 4000), 6.987712e-4, 1e-9);
  EXPECT_NEAR(warmup_then_decay(16000, 512, 4000), 3.493856e-4, 1e-9);
  for (std::size_t step = 1; step < 4000; step += 100)
    EXPECT_LT(warmup_then_decay(step, 128, 4000), warmup_then_decay(step + 1, 128, 4000));
  for (std::size_t step = 4000; step < 9000; step += 100)
    EXPECT_GT(warmup_then_decay(step, 128, 4000), warmup_then_decay(step + 1, 128, 4000));
}

}  // namespace
}  // namespace training
