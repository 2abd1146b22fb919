#include "document/lesson_file/allowed.hpp"

namespace document {

namespace {

template <typename T, typename... Among>
inline constexpr bool is_one_of = (std::is_same_v<T, Among> || ...);

}  // namespace

bool allows(const Allowed& allowed, const Command& command) {
  return std::visit(
      [&]<typename T>(const T&) {
        if constexpr (is_one_of<T, ChooseExample, ChooseVariant>) return allowed.example;
        if constexpr (is_one_of<T, ChooseStep>) return allowed.step;
        if constexpr (is_one_of<T, ChooseHead, ChooseHeadOf, ShowAllHeads, ShowMeanOfHeads,
                                ChooseAttention, ChooseSample, ShowAllSamples>)
          return allowed.head;
        if constexpr (is_one_of<T, ChooseQuery, ChooseKey>) return allowed.query;
        if constexpr (is_one_of<T, EditCell, EditCells, SetWeights, DragWeight, ReleaseWeights,
                                SetTarget, RemoveTarget, Learn>)
          return allowed.edit;
        if constexpr (is_one_of<T, SetScale, SetAttentionVariants, SetMask, SetPositionEncoding,
                                SetSeed, SetSentence, SetTranslationBegin, SetBeam, SetSizes,
                                SetKdim, SetLengths, SetPicture, SetMistake, AblateHead,
                                AblateHeadInLayers, SetTraining, Guess>)
          return allowed.settings;
        return true;
      },
      command);
}

}  // namespace document
