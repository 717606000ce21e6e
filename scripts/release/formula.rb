class Tenfold < Formula
  desc "Honest comparisons of feature selectors"
  version "{{.}}"
  license "Apache-2.0"

  on_macos do
    on_arm do
      {{archive "darwin" "arm64"}}
    end
    on_intel do
      {{archive "darwin" "amd64"}}
    end
  end

  on_linux do
    on_arm do
      {{archive "linux" "arm64"}}
    end
    on_intel do
      {{archive "linux" "amd64"}}
    end
  end

  def install
    bin.install "tenfold"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/tenfold.bash" => "tenfold"
    zsh_completion.install "completions/_tenfold"
    fish_completion.install "completions/tenfold.fish"
    pkgshare.install "experiments"
  end

  test do
    system bin/"tenfold", "run", pkgshare/"experiments/quickstart.yaml", "--out", testpath/"run"
  end
end
