// A file of tests/fixtures as it is: tensors by name, and its metadata.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "files/safetensors.hpp"

namespace test {

struct FixtureFile {
  std::map<std::string, tensor::Tensor> tensors;
  std::map<std::string, std::string> metadata;

  tensor::Tensor operator[](const std::string& name) const {
    const auto found = tensors.find(name);
    EXPECT_NE(found, tensors.end()) << "the fixture has no " << name;
    return found == tensors.end() ? tensor::Tensor() : found->second;
  }
  float number(const std::string& key) const {
    return std::strtof(metadata.at(key).c_str(), nullptr);
  }
  std::size_t size(const std::string& key) const {
    return std::strtoul(metadata.at(key).c_str(), nullptr, 10);
  }
  bool is_true(const std::string& key) const { return metadata.at(key) == "True"; }
};

inline FixtureFile fixture_file(const std::string& name) {
  const std::string path = std::string(ATTENTION_LIVE_FIXTURES) + "/" + name + ".safetensors";
  std::vector<std::byte> bytes;
  if (std::FILE* file = std::fopen(path.c_str(), "rb")) {
    std::byte buffer[4096];
    while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, file))
      bytes.insert(bytes.end(), buffer, buffer + count);
    std::fclose(file);
  }
  FixtureFile fixture;
  const auto read = files::read_safetensors(bytes);
  EXPECT_TRUE(read.has_value()) << path << ": " << (read ? "" : read.error().message);
  if (!read) return fixture;
  for (const files::StoredTensor& stored : read->tensors)
    fixture.tensors[stored.name] = files::to_float32(stored).value_or(tensor::Tensor());
  for (const auto& [key, value] : read->metadata) fixture.metadata[key] = value;
  return fixture;
}

}  // namespace test
